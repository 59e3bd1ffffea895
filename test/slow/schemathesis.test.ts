import { expect, test } from 'vitest'
import { runSchema } from '../../tools/reliability/schema/run-schema.ts'
import { pythonInterpreter } from '../support/python-interpreter.ts'
import { SEED } from '../support/seed.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Requests made from the OpenAPI document, sent to a served warehouse: every answer is one that the document describes. */
const python = pythonInterpreter('schemathesis.txt', 'the API under requests made from its OpenAPI document')
const folder = tempFolder()
const CASES = 5_000

test('no server error, and no answer that the document does not describe', async () => {
  const report = await runSchema({ python, folder, seed: SEED, cases: CASES })
  expect(report.violations.join('\n')).toBe('')
  expect(report.cases).toBeGreaterThanOrEqual(CASES)
}, 900_000)
