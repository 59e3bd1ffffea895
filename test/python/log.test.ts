import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Vector } from '../support/log/make-vectors.ts'
import { pythonInterpreter } from '../support/python-interpreter.ts'
import { ROOT } from '../support/source-files.ts'

const FILE = join(ROOT, 'datasets/log/vectors.json')
const python = pythonInterpreter('package.txt', 'a second verifier of the log')

type Answer = { readonly name: string; readonly accepted: boolean; readonly why: string | null }

test('a verifier written from docs/log-format.md alone accepts the valid vectors and rejects every other', () => {
  const script = join(ROOT, 'python/tests/log_vectors.py')
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'python/src') }
  const { status, stdout, stderr } = spawnSync(python, [script, FILE], { encoding: 'utf8', maxBuffer: 2 ** 26, env })
  expect(status, stderr).toBe(0)
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)
  const { cases } = JSON.parse(readFileSync(FILE, 'utf8')) as { cases: readonly Vector[] }
  expect(answers.map(({ name }) => name)).toEqual(cases.map(({ name }) => name))
  const wrong = cases.filter(({ valid }, n) => answers[n]!.accepted !== valid)
  expect(wrong.map(({ name }) => name)).toEqual([])
})
