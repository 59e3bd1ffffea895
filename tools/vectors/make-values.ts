import { recordHash, recordJson } from '../../pipelines/index/record-hash.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatDecimal, medianDecimal, parseDecimal } from '../../primitives/decimal.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { signedDecimal } from '../../protocol/signing/signed-scalars.ts'
import { vectorCase, vectorFile } from './vector-file.ts'

const VALUES: Readonly<Record<string, unknown>> = {
  'keys are sorted': { b: 1, a: [true, false, null], _: 'x', B: {} },
  'keys are sorted by UTF-16 code units': { '😀': 1, '\ufb33': 2, é: 3, '\u0080': 4 },
  'escapes of RFC 8785': { text: '\u0000\b\t\n\u000b\f\r"\\/\u001f\u007f€' },
  'texts that are keys of objects': { __proto__x: 1, constructor: 2, toString: 3, '': 4 },
  'integers and their limits': [0, -1, 9007199254740991, -9007199254740991],
  'nesting and empty values': [[], {}, [[{}]], { a: { b: { c: [] } } }],
  'decimals are texts with their zeros': { level: '39.6100', weight: '0.1000000000' },
}

/** Record of one published level. */
const LEVEL = {
  observation_id: 'iob_demo_2',
  index_id: 'idx_demo',
  index_version_id: 'ixv_demo_1',
  methodology_id: 'mth_demo',
  methodology_version: '1.0.0',
  calculation_run_id: 'run_demo',
  revision: 1,
  supersedes_id: null,
  level: '39.6111',
  unit: 'index_points',
  quality_state: 'valid',
  coverage_ratio: '0.866667',
  confidence: '0.9310',
  source_cutoff_at: '2026-11-21T00:01:00Z',
  calculated_at: '2026-11-21T00:01:02.5Z',
  missing_constituent_ids: [],
  input_observation_ids: ['obs_a1', 'obs_b1'],
}
const RECORDS: Readonly<Record<string, object>> = {
  'a level': LEVEL,
  'later columns are not part of the hash': { ...LEVEL, published_at: '2026-11-21T00:01:03Z', row_ordinal: 4 },
  'an instant with zeros at its end is the same': { ...LEVEL, calculated_at: '2026-11-21T00:01:02.500000Z' },
  'a level with another trailing zero is another': { ...LEVEL, level: '39.61110' },
  'the order of the inputs counts': { ...LEVEL, input_observation_ids: ['obs_b1', 'obs_a1'] },
  'nothing is known yet': { ...LEVEL, level: null, source_cutoff_at: null, quality_state: 'suspended' },
  'no instant': { ...LEVEL, calculated_at: 'yesterday' },
}

/** Makes records.json: the canonical JSON of values and of levels, and their hashes. */
export function makeRecords() {
  const values = Object.entries(VALUES).map(([name, value]) =>
    vectorCase(name, 'canonical_json', { value }, (input) => {
      const text = canonicalJson(input.value)
      return { text, sha256: sha256Hex(text) }
    }),
  )
  const records = Object.entries(RECORDS).map(([name, record]) =>
    vectorCase(name, 'record_hash', { record }, (input) => ({
      canonical_json: recordJson(input.record),
      record_hash: recordHash(input.record),
    })),
  )
  const claims = {
    'its own hash': recordHash(LEVEL),
    'the hash of another': recordHash({ ...LEVEL, level: '39.6112' }),
  }
  const verified = Object.entries(claims).map(([name, record_hash]) =>
    vectorCase(name, 'verify_record', { record: LEVEL, record_hash }, (input) => ({
      is_equal: recordHash(input.record) === input.record_hash,
    })),
  )
  return vectorFile('Canonical JSON (RFC 8785) and hashes of records.', [...values, ...records, ...verified])
}

const d = (text: string) => parseDecimal(text, 'vector')
const plain = (value: ReturnType<typeof d>) => value.toFixed()

const PARSED =
  '0|-0|0.25|-12.50|100|0.000000000000000001|123456789012345678901234567890.5|00|01.5|.5|5.|+1|1e3| 1|1,5|NaN|Infinity||0x1|١'
const ROUNDED: readonly (readonly [value: string, scale: number])[] = [
  ...['0.125', '0.135', '-0.125', '0.1250000000001', '2.5', '3.5', '-2.5', '0.5', '1.5', '0'].flatMap((value) => [
    [value, 0] as const,
    [value, 2] as const,
  ]),
  ['38.92500000300', 4],
  ['38.92505', 4],
  ['-0.00004', 4],
  ['99999999999999999999.99995', 4],
]
const PAIRS = [
  ['1', '3'],
  ['2', '3'],
  ['10', '7'],
  ['-1', '6'],
  ['0.1', '0.2'],
  ['99999999999999999.5', '3'],
  ['1', '0.000000000000000001'],
] as const
const MEDIANS = [
  ['3', '1', '2'],
  ['0.1', '0.2'],
  ['1', '2', '10', '4'],
  ['0.412', '0.413'],
]
const SIGNED =
  '0.52|100.00|100|0|0.0|0.000000000000000001|340282366920938463463374607431768211455|340282366920938463463374607431768211456|0.0000000000000000001|-1|01|1e3|'

/** Makes decimals.json: what is a decimal, rounding half even, arithmetic of 34 digits, and decimals as they are signed. */
export function makeDecimals() {
  const cases = [
    ...PARSED.split('|').map((text) =>
      vectorCase(JSON.stringify(text), 'parse', { text }, (input) => ({ plain: plain(d(input.text)) })),
    ),
    ...ROUNDED.map(([value, scale]) =>
      vectorCase(`${value} at ${scale}`, 'round', { value, scale }, (input) => ({
        text: formatDecimal(d(input.value), input.scale),
      })),
    ),
    ...PAIRS.map(([a, b]) =>
      vectorCase(`${a} and ${b}`, 'arithmetic', { a, b }, (input) => {
        const [left, right] = [d(input.a), d(input.b)]
        return {
          sum: plain(left.plus(right)),
          difference: plain(left.minus(right)),
          product: plain(left.times(right)),
          quotient: plain(left.div(right)),
        }
      }),
    ),
    ...MEDIANS.map((values) =>
      vectorCase(values.join(' '), 'median', { values }, (input) => ({
        median: plain(medianDecimal(input.values.map(d))),
      })),
    ),
    ...SIGNED.split('|').map((text) =>
      vectorCase(`${JSON.stringify(text)} signed`, 'sign_decimal', { text }, (input) =>
        signedDecimal(input.text, 'vector'),
      ),
    ),
  ]
  return vectorFile(
    'Decimals: their form, rounding half even, arithmetic of 34 digits, and the pair that is signed.',
    cases,
  )
}
