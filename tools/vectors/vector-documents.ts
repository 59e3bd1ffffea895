import { makeLevels, makeLinks, makeMarks } from './make-calculation.ts'
import { makeRequests } from './make-requests.ts'
import { makeAsOf, makeCandles } from './make-series.ts'
import { makeStreams } from './make-streams.ts'
import { makeTypedData } from './make-typed-data.ts'
import { makeDecimals, makeRecords } from './make-values.ts'
import { type VectorFile, vectorText } from './vector-file.ts'

/** Files of datasets/vectors with what makes each. */
export const VECTOR_MAKERS: Readonly<Record<string, () => VectorFile>> = {
  requests: makeRequests,
  'typed-data': makeTypedData,
  records: makeRecords,
  decimals: makeDecimals,
  marks: makeMarks,
  levels: makeLevels,
  links: makeLinks,
  candles: makeCandles,
  'as-of': makeAsOf,
  streams: makeStreams,
}

/** Paths of the files with their texts, as `npm run docs` writes them. */
export const VECTOR_DOCUMENTS: readonly (readonly [path: string, render: () => string])[] = Object.entries(
  VECTOR_MAKERS,
).map(([name, make]) => [`datasets/vectors/${name}.json`, () => vectorText(make())])
