import { rememberingReaders } from '../../pipelines/text/fields.ts'
import { parseForecastbenchValue, VALUE_COLUMNS } from '../../pipelines/venues/forecastbench.ts'
import { parseForecastbenchQuestion } from '../../pipelines/venues/forecastbench-question.ts'
import type { ArchiveContent } from '../../pipelines/venues/record.ts'
import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { findArchiveFile, listArchiveFiles, uncompressedName } from './archive-file.ts'
import { collectCsv, collectJsonLines } from './collect.ts'
import { FORECASTBENCH_FILES, ruleOfOther } from './file-names.ts'
import { PAYLOAD_KINDS, type PayloadKind } from './payloads/payload-kinds.ts'
import { readQuotesArchive } from './quotes.ts'

type ArchiveReader = (dir: string, now: Micros) => Promise<ArchiveContent>

const READERS = { forecastbench: readForecastbench, quotes: readQuotesArchive } as const satisfies Record<
  string,
  ArchiveReader
>

type RecordKind = keyof typeof READERS
export type ArchiveKind = RecordKind | PayloadKind
export const ARCHIVE_KINDS: readonly ArchiveKind[] = [...(Object.keys(READERS) as RecordKind[]), ...PAYLOAD_KINDS]

/**
 * Reads and parses a whole archive of tables of records; nothing is stored.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID for another kind, VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID
 */
export async function readArchive(kind: string, dir: string, now: Micros): Promise<ArchiveContent> {
  const reader = Object.hasOwn(READERS, kind) ? READERS[kind as RecordKind] : undefined
  if (reader !== undefined) {
    const content = await reader(dir, now)
    return { ...content, ignored: ignoredBeside(dir, content.files) }
  }
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `archive is ${JSON.stringify(kind)}; allowed: ${ARCHIVE_KINDS.join(', ')}`,
    { field: 'archive', value: kind },
  )
}

/** Files of a folder that an archive of these files does not read. */
function ignoredBeside(dir: string, files: readonly string[]): NonNullable<ArchiveContent['ignored']> {
  const read = new Set(files.map(uncompressedName))
  return listArchiveFiles(dir)
    .filter(({ name }) => !files.includes(name))
    .map(({ name }) => ({ file: name, line: 1, rule: ruleOfOther(name, read.has(uncompressedName(name))) }))
}

/**
 * Reads a ForecastBench archive: market_values_bitemporal.csv(.gz) and market_questions.jsonl(.gz), both required.
 * @param now the wall clock, for records that claim a later receipt
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE or VALIDATION_ARCHIVE_INVALID
 */
export async function readForecastbench(dir: string, now: Micros): Promise<ArchiveContent> {
  const values_file = findArchiveFile(dir, FORECASTBENCH_FILES.values)
  const questions_file = findArchiveFile(dir, FORECASTBENCH_FILES.questions)
  const read = rememberingReaders()
  const values = await collectCsv(values_file, VALUE_COLUMNS, (row) => parseForecastbenchValue(row, read, now))
  const questions = await collectJsonLines(questions_file, (line) => parseForecastbenchQuestion(line, line.object, now))
  return {
    files: [values_file.name, questions_file.name],
    quotes: values.records,
    trades: [],
    books: [],
    metrics: [],
    hazards: [],
    payloads: [],
    resolutions: [],
    references: questions.records,
    quarantine: [...values.quarantine, ...questions.quarantine],
  }
}
