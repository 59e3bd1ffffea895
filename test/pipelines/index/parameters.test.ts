import { describe, expect, test } from 'vitest'
import {
  decodeParameters,
  isOfSecondText,
  PARAMETER_SHEET,
  type ParameterName,
  resolveParameters,
  SECOND_TEXT_PARAMETERS,
} from '../../../pipelines/index/parameters.ts'
import { MINUTE, SECOND } from '../../support/index-world.ts'
import { refusal } from '../../support/refusal.ts'

const OF_SECOND_TEXT: readonly ParameterName[] = SECOND_TEXT_PARAMETERS
const NAMES = Object.keys(PARAMETER_SHEET) as ParameterName[]
const refuse = (name: string, value: string) =>
  refusal('VALIDATION_DEFINITION_INVALID', () => resolveParameters({ [name]: value })).message

test('an empty sheet is the defaults of the first text, complete', () => {
  const texts = resolveParameters({})
  expect(Object.keys(texts)).toEqual(NAMES.filter((name) => !OF_SECOND_TEXT.includes(name)))
  const given = Object.keys(texts) as ParameterName[]
  expect(given.filter((name) => texts[name] !== PARAMETER_SHEET[name].default)).toEqual([])
})

test.each(OF_SECOND_TEXT)('%s makes it a sheet of the second text, complete, whatever its value', (name) => {
  const texts = resolveParameters({ [name]: PARAMETER_SHEET[name].default as string })
  expect(Object.keys(texts)).toEqual(NAMES)
  expect([isOfSecondText(texts), isOfSecondText(resolveParameters({}))]).toEqual([true, false])
})

test('a sheet without the names of the second text is decoded to what it always meant', () => {
  const p = decodeParameters(resolveParameters({}))
  expect([p.settle_from, p.pool.finality]).toEqual(['source_at', 'any'])
  const later = decodeParameters(resolveParameters({ settle_from: 'final_at', 'pool.finality': 'majority' }))
  expect([later.settle_from, later.pool.finality]).toEqual(['final_at', 'majority'])
})

test('every default is a value that may be written', () => {
  for (const name of NAMES) {
    const value = PARAMETER_SHEET[name].default
    if (value !== null) expect(resolveParameters({ [name]: value })[name]).toBe(value)
  }
})

test('values are decoded to the units of the calculation', () => {
  const p = decodeParameters(
    resolveParameters({ 'mark.q_min': '75', 'link.gearing_range': '0.1 10', mode: 'chain_linked' }),
  )
  expect([p.grace, p.stale_after, p.book_max_age]).toEqual([5 * SECOND, 15 * MINUTE, MINUTE])
  expect([p.q_min.toFixed(), p.link.gearing_min.toFixed(), p.link.gearing_max.toFixed()]).toEqual(['75', '0.1', '10'])
  expect([p.mode, p.outlier.enabled, p.outlier.window]).toEqual(['chain_linked', true, 11])
})

test('another spelling is the same parameter; both together are refused', () => {
  expect(resolveParameters({ roll_stop: '5' })['roll.stop_days']).toBe('5')
  const { message } = refusal('VALIDATION_DEFINITION_INVALID', () =>
    resolveParameters({ 'outlier.n': '6', 'outlier.min_n': '7' }),
  )
  expect(message).toBe(
    'methodology.parameters.outlier.n is another spelling of outlier.min_n, which is written too; allowed: one of them',
  )
})

test('an unknown name is refused with the names there are', () => {
  expect(refuse('outlier.kk', '5')).toMatch(
    /^methodology\.parameters\.outlier\.kk is not a parameter \(did you mean outlier\.k\?\); allowed: mode, .*pool\.finality$/,
  )
  for (const name of ['constructor', '__proto__', 'toString']) expect(refuse(name, '1')).toContain('is not a parameter')
})

/** Each kind of value: what it refuses, and what the sentence allows. */
describe('values', () => {
  test.each<[ParameterName, string[], string]>([
    ['mode', ['Gauge', 'chain', ''], 'gauge or chain_linked'],
    ['calc.precision', ['35', '34.0'], '34'],
    ['calc.rounding', ['HALF_UP'], 'HALF_EVEN'],
    ['outlier.enabled', ['yes', 'TRUE', '1'], 'true or false'],
    ['fixing.trim', ['-1', '1.5', '1e3', '01', '1000000'], 'a whole number from 0 to 999999'],
    ['outlier.window', ['0', '', 'eleven'], 'a whole number from 1 to 999999'],
    ['admission.grace', ['5s', 'P1M', '-PT5S', 'PT', ''], 'an ISO 8601 duration of fixed length such as PT5S or P2D'],
    ['fresh.max_carry', ['PT0S', 'P0D'], 'an ISO 8601 duration of fixed length, longer than zero, such as PT5M or P2D'],
    ['outlier.k', ['-1', '+1', '.5', '1e1', 'NaN'], 'a decimal string that is not negative'],
    ['quality.usable_min', ['1.000001', '-0', '50%'], 'a decimal string in [0, 1]'],
    ['cap.single', ['0', '1.1', '0.0'], 'a decimal string in (0, 1]'],
    ['link.min_s', ['0'], 'a decimal string in (0, 1]'],
    ['pool.eps', ['0', '0.5', '0.7'], 'a decimal string in (0, 0.5)'],
    [
      'link.gearing_range',
      ['5 0.2', '0.2', '0.2,5', '-1 5', '1 1', '0.2  5'],
      'two decimal strings, the lower first, such as "0.2 5"',
    ],
  ])('%s refuses %j; allowed: %s', (name, values, allowed) => {
    for (const value of values)
      expect(refuse(name, value)).toBe(
        `methodology.parameters.${name} is ${JSON.stringify(value)}; allowed: ${allowed}`,
      )
  })
})
