import { basename } from 'node:path'
import type { IgnoreRule } from '../../pipelines/venues/outcomes.ts'
import { COMPRESSIONS, uncompressedName } from './archive-file.ts'

/**
 * Names of files that mean something to an import; other names do not count. The reading and docs/archives.md use this one table.
 */

/** Files of the archive `quotes`. */
export const QUOTES_FILES = {
  markets: 'markets.jsonl',
  quotes: 'quotes.csv',
  trades: 'trades.csv',
  resolutions: 'resolutions.jsonl',
} as const

/** Files of the archive `forecastbench`. */
export const FORECASTBENCH_FILES = {
  values: 'market_values_bitemporal.csv',
  questions: 'market_questions.jsonl',
} as const

/** Ends of names of files whose columns a mapping describes; those that are text may be compressed. */
const TABLES = { text: ['.csv', '.tsv'], binary: ['.parquet'] } as const

/** Every ending of a table's name, in words. */
export const TABLE_ENDINGS = `${TABLES.text.join(' or ')} (also compressed: ${COMPRESSIONS.map(({ ending }) => ending).join(', ')}) or ${TABLES.binary.join(' or ')}`

/** Returns whether a file is a table, by its name. */
export function isTableName(name: string): boolean {
  const has = (of: string, endings: readonly string[]) => endings.some((ending) => of.toLowerCase().endsWith(ending))
  return has(uncompressedName(name), TABLES.text) || has(name, TABLES.binary)
}

/** End of the name of a file of payloads in our own form. */
export const OWN_FORM = '.payloads.jsonl'
/** File of a recording that says when it ran, which files it sealed and what is missing. */
export const RECORDING_JOURNAL = 'recording.jsonl'
/** File with the SHA-256 of each sealed file, in the form that `sha256sum -c` reads. */
export const CHECKSUMS = 'SHA256SUMS'

/** Beginnings of names of files beside the data that are not data; a whole name ends with `$`. */
const NOT_DATA = [
  '.',
  'LICENSE',
  'LICENCE',
  'README',
  'NOTICE',
  'COPYING',
  'CHANGELOG',
  CHECKSUMS,
  'truth.json$',
  `${RECORDING_JOURNAL}$`,
]
const NOT_DATA_PATTERN = new RegExp(`^(?:${NOT_DATA.map((name) => name.replaceAll('.', '\\.')).join('|')})`, 'i')

/** Returns whether a file or folder of this name is not data. */
export function isNotData(name: string): boolean {
  return NOT_DATA_PATTERN.test(name)
}

/** Returns the rule by which a file beside the tables of an archive is not read. */
export function ruleOfOther(path: string, is_copy: boolean): IgnoreRule {
  if (is_copy) return 'SECOND_COPY'
  return isNotData(basename(path)) ? 'NOT_DATA' : 'OTHER_FILE'
}

/** Every such name: the archives that know it, and its meaning. */
export const FILE_NAMES: readonly (readonly [name: string, archives: string, meaning: string])[] = [
  [QUOTES_FILES.markets, 'quotes', 'descriptions of markets; required, beside mapped files optional'],
  [QUOTES_FILES.quotes, 'quotes', 'prices; required without a mapping'],
  [QUOTES_FILES.trades, 'quotes', 'public trades'],
  [QUOTES_FILES.resolutions, 'quotes', 'resolutions'],
  [
    [...TABLES.text, ...TABLES.binary].map((ending) => `*${ending}`).join(', '),
    'quotes with a mapping',
    'tables of any columns; of a single file the name does not count',
  ],
  [FORECASTBENCH_FILES.values, 'forecastbench', 'values; required'],
  [FORECASTBENCH_FILES.questions, 'forecastbench', 'questions; required'],
  [`*${OWN_FORM}`, 'payloads', 'payloads in our own form'],
  ['*.jsonl, *.ndjson', 'payloads', 'payloads, JSON line by line, whatever the first line looks like'],
  ['*20260117T000005Z*, *1768608005*', 'payloads', 'a document that was received at this instant'],
  ['*<token id>*, *<KX ticker>*', 'payloads', 'a price history or order book of this market (Polymarket, Kalshi)'],
  ...NOT_DATA.map(
    (name) => [name.endsWith('$') ? name.slice(0, -1) : `${name}*`, 'all', 'not data (`NOT_DATA`)'] as const,
  ),
]
