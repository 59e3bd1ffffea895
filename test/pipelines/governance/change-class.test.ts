import { expect, test } from 'vitest'
import { classOfTicks, isStricter, type TickPair } from '../../../pipelines/governance/change-class.ts'
import { contentDifferences, describeDifferences } from '../../../pipelines/governance/content-differences.ts'
import { Decimal, parseDecimal } from '../../../primitives/decimal.ts'
import { VERSION_CLASSES } from '../../../vocabulary/governance.ts'
import { seededRandom } from '../../support/random.ts'

const TEN_BP = parseDecimal('10', 'restate.bp')
const tick = (level: string | null, quality_state = 'valid') => ({ level, quality_state })
const pair = (before: string | null, after: string | null): TickPair => ({ before: tick(before), after: tick(after) })
const classOf = (ticks: readonly TickPair[], differs = true) => classOfTicks(ticks, differs, TEN_BP).change_class

test('identical levels and states are a change of text, if no rule differs either', () => {
  expect(classOf([pair('1000.0000', '1000.0000')], false)).toBe('text')
  expect(classOf([pair('1000.0000', '1000.0000')])).toBe('parameter')
  expect(classOf([{ before: tick('1', 'valid'), after: tick('1', 'degraded') }], false)).toBe('parameter')
})

test('the threshold itself is material, as it restates', () => {
  expect(classOf([pair('1000.0000', '1000.9999')])).toBe('parameter')
  expect(classOf([pair('1000.0000', '1001.0000')])).toBe('material')
  expect(classOf([pair('1000.0000', '999.0000')])).toBe('material')
})

test('a level that appears, a tick of one side, and nothing to compare are material', () => {
  expect(classOf([pair(null, '1000.0000')])).toBe('material')
  expect(classOf([pair('1000.0000', null)])).toBe('material')
  expect(classOf([pair('0.0000', '1.0000')])).toBe('material')
  expect(classOf([{ before: tick('1'), after: undefined }])).toBe('material')
  expect(classOf([])).toBe('material')
  expect(classOf([], false)).toBe('text')
})

test('random levels: the class is that of the largest difference, told with fractions', () => {
  const random = seededRandom(7)
  for (let round = 0; round < 300; round += 1) {
    const ticks = Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
      const before = `${900 + Math.floor(random() * 200)}.0000`
      const moved = [0, 0, 1, 5, 9, 10, 11][Math.floor(random() * 7)]!
      const after = new Decimal(before)
        .times(10_000 + moved)
        .div(10_000)
        .toFixed(4)
      return { pair: pair(before, after), moved }
    })
    const differs = random() < 0.5
    const largest = Math.max(...ticks.map(({ moved }) => moved))
    const expected = largest >= 10 ? 'material' : largest > 0 || differs ? 'parameter' : 'text'
    expect(
      classOf(
        ticks.map((one) => one.pair),
        differs,
      ),
    ).toBe(expected)
  }
})

test('classes are ordered from the least strict', () => {
  expect(VERSION_CLASSES.filter((name) => isStricter(name, 'text'))).toEqual(['parameter', 'material'])
  expect(isStricter('material', 'material')).toBe(false)
})

test('differences name fields and members; a list that is reordered does not differ', () => {
  const con = (id: string, weight: string) => ({ constituent_id: id, target_weight: weight })
  const before = { a: 1, constituents: [con('con_a', '0.5'), con('con_b', '0.5')], gone: { x: null } }
  const after = { a: 1, constituents: [con('con_b', '0.4'), con('con_a', '0.5')], tags: [] }
  expect(contentDifferences(before, { ...before, constituents: [...before.constituents].reverse() })).toEqual([])
  const differences = contentDifferences(before, after)
  expect(differences).toEqual([
    { path: '/constituents/con_b/target_weight', before: '"0.5"', after: '"0.4"' },
    { path: '/gone/x', before: 'null', after: null },
    { path: '/tags', before: null, after: '[]' },
  ])
  expect(describeDifferences(differences)).toBe(
    '/constituents/con_b/target_weight: "0.5" -> "0.4"; /gone/x: null -> null; /tags: null -> []',
  )
  expect(contentDifferences(null, { a: 1 })).toEqual([{ path: '/a', before: null, after: '1' }])
})
