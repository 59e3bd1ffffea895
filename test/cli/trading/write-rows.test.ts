import { PassThrough } from 'node:stream'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { writeRows } from '../../../cli/trading/write-rows.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { createOutput } from '../../../service/output.ts'

const schema = Type.Object({ entry_id: Type.String() })

async function written(rows: AsyncGenerator<{ entry_id: string }>, format: 'csv' | 'parquet'): Promise<string> {
  const [stdout, stderr] = [new PassThrough({ highWaterMark: 1e6 }), new PassThrough()]
  const output = createOutput({ stdout, stderr }, false)
  await writeRows(rows, schema, { options: { format } as never, output, what: 'records' }).catch(() => undefined)
  return String(stdout.read() ?? '')
}

/** A client's list whose first page is refused. */
async function* refused(): AsyncGenerator<{ entry_id: string }> {
  yield await Promise.reject(new ServiceError('AUTH_CREDENTIALS_INVALID', 'the signature is not that of the key'))
}

test.each(['csv', 'parquet'] as const)('a refused list writes nothing as %s, not even a header', async (format) => {
  expect(await written(refused(), format)).toBe('')
})

test('a list without rows is its header, and one with rows has each once', async () => {
  const rows = async function* (count: number) {
    for (let n = 0; n < count; n += 1) yield { entry_id: `e${n}` }
  }
  expect(await written(rows(0), 'csv')).toBe('entry_id\r\n')
  const lines = (await written(rows(2500), 'csv')).trimEnd().split('\r\n')
  expect([lines.length, lines[1], lines[2500]]).toEqual([2501, 'e0', 'e2499'])
})
