// SPDX-License-Identifier: Apache-2.0
/** picocli (info.picocli:picocli, Apache-2.0), the command line of Ullage, compiled from its published sources. */
module info.picocli {
    requires static java.sql;

    exports picocli;
}
