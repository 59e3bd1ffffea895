import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonInterpreter } from '../../test/support/python-interpreter.ts'
import { endedWith } from './ended-with.ts'
import { anySeed, lane, whole } from './lane.ts'
import { runSchema } from './schema/run-schema.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run sec:schema -- [--cases N] [--seed S]`: Schemathesis makes requests from the served OpenAPI document, about records that exist and
 * about others. Each response must be one that the document describes, and none a server error. Prints one JSON line, which
 * reports/reliability/sec-schema.json keeps; ends with 1 where Schemathesis found something, whose report is in the line.
 */
const { cases, seed } = lane('sec:schema')
  .option('--cases <n>', 'requests at least', whole(1), 10_000)
  .option('--seed <n>', 'of the requests', whole(0), anySeed())
  .parse()
  .opts<{ cases: number; seed: number }>()

const python = pythonInterpreter('schemathesis.txt', 'the API under requests made from its OpenAPI document')
const folder = mkdtempSync(join(tmpdir(), 'tidemark-schema-'))
const onRun = (text: string) => process.stderr.write(`${text}\n`)
const report = await endedWith(
  async () => rmSync(folder, { recursive: true, force: true }),
  () => runSchema({ python, folder, cases, seed, onRun }),
)
writeReport('sec-schema', report)
