import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeSampleFiles } from '../pipelines/sample/sample-archive.ts'

/** The seed of the sample that `npm start` shows and that the sample index definitions are made for. */
export const SAMPLE_SEED = 20250701

/**
 * Writes a small archive in the ForecastBench format into a folder, which is made where it is missing: about 5,000 daily
 * values of 40 invented markets. The same seed gives the same bytes; files of these names are overwritten.
 * @returns the names of the files written
 */
export function makeSampleArchive({ dir, seed = SAMPLE_SEED }: { dir: string; seed?: number }): readonly string[] {
  const { values_csv, questions_jsonl } = makeSampleFiles(seed)
  const files = { 'market_values_bitemporal.csv.gz': values_csv, 'market_questions.jsonl.gz': questions_jsonl }
  mkdirSync(dir, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), gzipSync(text))
  return Object.keys(files)
}
