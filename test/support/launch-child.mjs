// Starts a TypeScript script of the tests or benches in the process of its own that one spawned: `node launch-child.mjs SCRIPT ARGUMENT...`.
// Like the product's processes it begins compiled: a worker starts in 0.6 s of processor time that takes 3.6 s through tsx.
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compiledEntry } from '../../launch/compiled-entry.mjs'
import { begin } from '../../launch/launch.mjs'
import { CHILD_CHECKOUT } from './child-checkout.mjs'

const [script] = process.argv.splice(2, 1)
const { root, entries } = CHILD_CHECKOUT
const entry = relative(root, script)
if (!entries.includes(entry)) throw new RangeError(`script is ${entry}; allowed: ${entries.join(', ')}`)
const url = pathToFileURL(script)
await begin(await compiledEntry(url, CHILD_CHECKOUT), url)
