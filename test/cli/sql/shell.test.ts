import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runShell } from '../../../cli/sql/shell.ts'
import { historyFile, readHistory, writeHistory } from '../../../cli/sql/shell-history.ts'
import type { ShellStatement } from '../../../cli/sql/shell-state.ts'
import { createOutput } from '../../../service/output.ts'
import { tempFolder } from '../../support/temp-folder.ts'

type Executed = Omit<ShellStatement, 'signal'>
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

/** Types into a shell whose statements are recorded by `execute`, until the input or the shell ends. */
function typed(keys: string, execute: (statement: ShellStatement) => Promise<void> = async () => undefined) {
  const [input, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const printed = Promise.all([text(stdout), text(stderr)])
  const executed: Executed[] = []
  let history: readonly string[] = []
  const shell = runShell({
    output: createOutput({ stdout, stderr }, false),
    state: { as_of: null, mode: 'table' },
    execute: async (statement) => {
      const { signal: _, ...asked } = statement
      executed.push(asked)
      await execute(statement)
    },
    ...{ input, terminal: stdout, signal: new AbortController().signal, history: ['select 0;'] },
    remember: (lines) => {
      history = [...lines]
    },
  })
  input.write(keys)
  const end = () => void input.end(CTRL_D)
  if (!keys.includes(CTRL_C)) end()
  return {
    end,
    input,
    done: shell.then(async () => {
      stdout.end()
      stderr.end()
      const [out, err] = await printed
      return { out, err, executed, history }
    }),
  }
}

const usual = { kind: 'select', as_of: null, mode: 'table' } as const

test('a statement may have several lines and ends with a semicolon; Ctrl-D ends the shell', async () => {
  const { done } = typed("select 1;\nselect '\n;' as a,\n 2; select 3;\nselect 4\n")
  const { executed } = await done
  expect(executed).toEqual([
    { ...usual, subject: 'select 1' },
    { ...usual, subject: "select '\n;' as a,\n 2" },
    { ...usual, subject: 'select 3' },
  ])
})

test('.as_of and .mode hold for the statements after them', async () => {
  const { done } = typed('.as_of 2026-01-17\n.mode csv\nselect 1;\n.as_of now\nselect 2;\n')
  expect((await done).executed).toEqual([
    { kind: 'select', subject: 'select 1', as_of: '2026-01-17T00:00:00Z', mode: 'csv' },
    { kind: 'select', subject: 'select 2', as_of: null, mode: 'csv' },
  ])
})

test('DESCRIBE, .schema, SUMMARIZE and EXPLAIN', async () => {
  const { done } = typed('DESCRIBE market;\n.schema event\nsummarize Market_Quote;\nexplain select 1;\n')
  expect((await done).executed).toEqual([
    { ...usual, kind: 'describe', subject: 'market' },
    { ...usual, kind: 'describe', subject: 'event' },
    { ...usual, kind: 'summarize', subject: 'market_quote' },
    { ...usual, kind: 'explain', subject: 'select 1' },
  ])
})

test('.tables and .help list; .quit ends before what follows', async () => {
  const { done } = typed('.tables\n.help\n.quit\nselect 1;\n')
  const { out, executed } = await done
  expect(out).toMatch(/\bindex_observation +a published level/)
  expect(out).toMatch(/\.as_of T +answer as known at T/)
  expect(executed).toEqual([])
})

test.each([
  ['.tabels', 'command is ".tabels" (did you mean .tables?); allowed: .tables, .schema, '],
  ['.mode jsn', '.mode is "jsn" (did you mean json?); allowed: table, json, ndjson, csv'],
  ['.as_of soon', '.as_of is "soon"; allowed: an RFC 3339 instant in UTC such as'],
])('%s is refused, and the shell goes on', async (line, sentence) => {
  const { done } = typed(`${line}\nselect 1;\n`)
  const { err, executed } = await done
  expect(err).toContain(`error: ${sentence}`)
  expect(executed).toHaveLength(1)
})

test('Ctrl-C clears what is typed and cancels the statement that runs; the shell goes on', async () => {
  let press: (() => void) | null = null
  const running = typed(`select ${CTRL_C}select 2;\n`, async ({ subject, signal }) => {
    if (subject !== 'select 2') return
    await new Promise<void>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      press?.()
    })
  })
  press = () => {
    running.input.write(`${CTRL_C}select 3;\n`)
    running.end()
  }
  const { executed, out, err } = await running.done
  expect(executed.map(({ subject }) => subject)).toEqual(['select 2', 'select 3'])
  expect(out).toContain('canceled')
  expect(err).toBe('')
})

test('the lines are kept, newest first, in a file of their owner', async () => {
  const { done } = typed('select 1;\nselect 2;\n')
  const { history } = await done
  expect(history).toEqual(['select 2;', 'select 1;', 'select 0;'])
  const file = historyFile({ cache: `${tempFolder()}/cache` })
  expect(readHistory(file)).toEqual([])
  writeHistory(file, history)
  expect(readHistory(file)).toEqual(history)
})
