import { appendLevel, oneIndex } from './one-index.ts'

/** Writer process: commits a level for each number received, and prints when it began and when it had committed. */
export type Written = { readonly began_ms: number; readonly committed_ms: number }

const [root = ''] = process.argv.slice(2)
const warehouse = await oneIndex(root)
const now = () => performance.timeOrigin + performance.now()

process.on('message', async (n: number) => {
  const began_ms = now()
  await appendLevel(warehouse, n, await warehouse.now())
  process.send!({ began_ms, committed_ms: now() } satisfies Written)
})
process.on('disconnect', () => process.exit(0))
process.send!('ready')
