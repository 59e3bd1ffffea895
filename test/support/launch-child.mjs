// Starts a TypeScript script of the tests or benches in the process of its own that one spawned: `node launch-child.mjs SCRIPT ARGUMENT...`.
// Like the product's processes it begins compiled: a worker starts in 0.6 s of processor time that takes 3.6 s through tsx.
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CHECKOUT, compiledEntry } from '../../launch/compiled-entry.mjs'

/** Compiled together when the first is asked for. */
const ENTRIES = [
  'bench/support/statement-server.ts',
  'test/support/import-child.ts',
  'test/support/trading/engine-child.ts',
  'test/warehouse/log/children/append-writer.ts',
  'test/warehouse/transparency/children/log-writer-child.ts',
  'test/workflows/support/review-child.ts',
  'test/workflows/support/worker-child.ts',
  'tools/reliability/day/settlement-worker.ts',
  'tools/reliability/hostile/attacker.ts',
  'tools/reliability/rel-idem.ts',
  'tools/reliability/rel-sim.ts',
]

const [script] = process.argv.splice(2, 1)
const entry = relative(CHECKOUT.root, script)
if (!ENTRIES.includes(entry)) throw new RangeError(`script is ${entry}; allowed: ${ENTRIES.join(', ')}`)
const compiled = await compiledEntry(pathToFileURL(script), {
  root: CHECKOUT.root,
  entries: ENTRIES,
  sources: [...CHECKOUT.sources, 'bench', 'test', 'tools'],
})
if (compiled === null) {
  const { register } = await import('tsx/esm/api')
  register()
}
process.setSourceMapsEnabled(true)
await import((compiled ?? pathToFileURL(script)).href)
