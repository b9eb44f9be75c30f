// SPDX-License-Identifier: Apache-2.0
// node pages.mjs FOLDER: writes the recorded hosts, one folder each.
import { HOSTS, write } from "./hosts.mjs";

for (const [name, files] of Object.entries(HOSTS)) write(files(), `${process.argv[2]}/${name}`);
