// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.measure.Bytes;

/// A file with weights in it. Equal when it is the same file: the same inode of the same device, whatever path led to
/// it.
///
/// @param path where its users see it; in a container that is a path of the container
/// @param via a path by which *we* can open it: the same, or `/proc/<pid>/root/…`, or `/proc/<pid>/map_files/…`
///     for files of other mount namespaces and deleted ones
/// @param device major:minor of its file system
/// @param size its length; its holes count
/// @param deleted whether its name is gone while it is still in use
public record ModelFile(
        String path, String via, String device, long inode, Bytes size, ModelFormat format, boolean deleted)
        implements Comparable<ModelFile> {
    /// Its name without the folders, as a headline shows it.
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ModelFile file && device.equals(file.device) && inode == file.inode;
    }

    @Override
    public int hashCode() {
        return device.hashCode() * 31 + Long.hashCode(inode);
    }

    @Override
    public int compareTo(ModelFile other) {
        int byDevice = device.compareTo(other.device);
        return byDevice != 0 ? byDevice : Long.compare(inode, other.inode);
    }
}
