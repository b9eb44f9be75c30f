# SPDX-License-Identifier: Apache-2.0
"""What is played in the virtual machine: cgroup v2, NFS, MGLRU; one file per kind of trouble."""
