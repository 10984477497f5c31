// Script budget: everything the table page can load, gzipped, stays under 250 KB.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET = 250 * 1024;
const dir = new URL('../dist/assets/', import.meta.url);
let total = 0;
for (const name of readdirSync(dir).filter((n) => n.endsWith('.js'))) {
  const size = gzipSync(readFileSync(new URL(name, dir)), { level: 9 }).length;
  total += size;
  console.log(`${String(size).padStart(8)}  ${name}`);
}
console.log(`${String(total).padStart(8)}  of ${BUDGET} bytes of script, gzipped`);
if (total > BUDGET) {
  console.error('the script is larger than its budget');
  process.exit(1);
}
