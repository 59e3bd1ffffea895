import { PassThrough, Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine } from '../../cli/csv.ts'
import { createOutput, createProgress, renderTable } from '../../service/output.ts'

describe('tables', () => {
  test('a head, then a line a row; numbers to the right; missing is a dash, not 0', () => {
    expect(
      renderTable(
        ['name', 'level'],
        [
          ['a', '1000.0000'],
          ['long name', '9.5'],
          ['c', null],
        ],
      ),
    ).toBe(['name           level', 'a          1000.0000', 'long name        9.5', 'c                  -'].join('\n'))
  })

  test('control characters of recorded text do not reach the terminal', () => {
    const table = renderTable(['title'], [['\u001b[31mred\u0007\nnext\u009b']])
    expect(table).toBe('title\n?[31mred??next?')
  })
})

describe('CSV (RFC 4180)', () => {
  const LINES = [
    [['a', 'b'], 'a,b\n'],
    [[null, undefined, ''], ',,\n'],
    [['a,b', 'say "hi"', 'x\ny'], '"a,b","say ""hi""","x\ny"\n'],
    [[['con_a', 'con_b'], [], { rule: 'HAMPEL_5' }], '"[""con_a"",""con_b""]",[],"{""rule"":""HAMPEL_5""}"\n'],
    [[0, false, '0.10'], '0,false,0.10\n'],
  ] as const
  test.each(LINES)('%j', (values, line) => {
    expect(csvLine(values)).toBe(line)
  })

  test('any text comes back', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const field = csvLine([text]).slice(0, -1)
        expect(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field).toBe(text)
      }),
    )
  })
})

describe('output', () => {
  test('waits while the reader is slow', async () => {
    const taken: string[] = []
    const slow = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer, _encoding, done) => {
        taken.push(chunk.toString())
        setTimeout(done, 5)
      },
    })
    const output = createOutput({ stdout: slow, stderr: new PassThrough() }, false)
    for (const text of ['a', 'b', 'c']) await output.write(text)
    expect(taken).toEqual(['a', 'b', 'c'])
    expect(slow.writableLength).toBe(0)
  })

  test('progress is silent unless standard error is a terminal', async () => {
    const stderr = new PassThrough()
    const progress = await createProgress('import', stderr)
    progress.update({ done: 1, total: 2 })
    progress.finish()
    expect(stderr.readableLength).toBe(0)
  })
})
