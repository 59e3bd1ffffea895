import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../support/source-files.ts'
import { spawnScript } from '../../support/spawn-script.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const MODULE = join(ROOT, 'warehouse/parquet/parquet-engine.ts')
const ENDS_MS = 100_000

/** Leaves with a code while a file of many rows is being written. @returns exit code and signal */
async function leaveWhileWriting(exit_code: number, path: string) {
  const script = `
    const { createParquetEngine } = await import(${JSON.stringify(MODULE)})
    const schema = { columns: { n: 'BIGINT' }, required: ['n'], chain: ['n'], current: ['n'], sort: ['n'] }
    const engine = createParquetEngine()
    const write = (count, path) =>
      engine.writeRows({ table: 'numbers', schema, rows: Array.from({ length: count }, (_, n) => ({ n })), published_at: 1 }, path)
    await write(1, ${JSON.stringify(`${path}.first`)})
    process.on('SIGINT', () => undefined)
    void write(300_000, ${JSON.stringify(path)}).then(() => console.log('written'))
    setImmediate(() => setImmediate(() => { console.log('leaving'); process.exit(${exit_code}) }))`
  const child = await spawnScript(script)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += String(chunk)
  })
  const overdue = setTimeout(() => child.kill('SIGKILL'), ENDS_MS)
  const [code, signal] = await once(child, 'close')
  clearTimeout(overdue)
  return { said, code: code as number | null, signal: signal as string | null }
}

test.each([
  [130, 'SIGINT'],
  [143, 'SIGTERM'],
] as const)('a process that leaves with %i while rows are written ends, by %s', async (code, signal) => {
  const ended = await leaveWhileWriting(code, join(folder, `${code}.parquet`))
  expect(ended).toEqual({ said: 'leaving\n', code: null, signal })
})
