import { describe, expect, test } from 'vitest'
import { compareAnswer, compareParts } from '../../../pipelines/transparency/compare-answer.ts'

const RECORD = { id: 'a', level: '1', quality_state: 'valid', inputs: [{ x: 1 }, { x: 2 }], nested: { y: null } }

describe('an answer', () => {
  test('with the fields of its record is proven, also if it shows a part of them', () => {
    expect(compareAnswer(RECORD, RECORD, 'rating')).toEqual({ known_at: [], added: [] })
    expect(compareAnswer({ id: 'a', level: '1' }, RECORD, 'rating')).toEqual({ known_at: [], added: [] })
  })

  test('names the fields that its record does not have, nested ones too', () => {
    const answer = { ...RECORD, market: {}, inputs: [{ x: 1, z: 3 }, { x: 2 }] }
    expect([...compareAnswer(answer, RECORD, 'rating').added].sort()).toEqual(['inputs.z', 'market'])
  })

  test('may say of a level what was known later', () => {
    const answer = { ...RECORD, quality_state: 'stale' }
    expect(compareAnswer(answer, RECORD, 'index_observation').known_at).toEqual(['quality_state'])
    // A state that was taken for that of the record proves as little.
    expect(compareAnswer(RECORD, RECORD, 'index_observation').known_at).toEqual(['quality_state'])
    expect(() => compareAnswer(answer, RECORD, 'rating')).toThrow('quality_state of the answer')
  })

  test('proves the field of a policy that its logged form lacks by the signed text in it', () => {
    const record = (signed: object) => ({ version: 1, signed_content: JSON.stringify({ version: 1, ...signed }) })
    const answer = (signed: object, drift_after: string | null) =>
      compareAnswer({ ...record(signed), drift_after }, record(signed), 'policy')
    const proven = { known_at: [], added: [] }
    expect(answer({ drift_after: 'P3D' }, 'P3D')).toEqual(proven)
    expect(answer({}, null)).toEqual(proven)
    for (const [signed, drift_after] of [
      [{ drift_after: 'P3D' }, 'P4D'],
      [{ drift_after: 'P3D' }, null],
      [{}, 'P3D'],
    ] as const)
      expect(() => answer(signed, drift_after)).toThrow('drift_after of the answer')
    const unsigned = { version: 1, signed_content: 'no JSON' }
    for (const other of [unsigned, { version: 1 }])
      expect(compareAnswer({ ...other, drift_after: 'P3D' }, other, 'policy').added).toEqual(['drift_after'])
  })

  test.each([
    ['another value', { ...RECORD, level: '2' }, 'level of the answer'],
    ['another nested value', { ...RECORD, inputs: [{ x: 1 }, { x: 3 }] }, 'inputs.x of the answer'],
    ['a list that is shorter', { ...RECORD, inputs: [{ x: 1 }] }, 'inputs of the answer'],
    ['a nested field that is gone', { ...RECORD, nested: {} }, 'nested.y of the answer'],
    ['a value where there was none', { ...RECORD, nested: { y: 0 } }, 'nested.y of the answer'],
  ])('with %s is refused', (_name, answer, fault) => {
    expect(() => compareAnswer(answer, RECORD, 'rating')).toThrow(fault)
  })
})

test('a text that differs is quoted once on both sides', () => {
  const message = 'band of the answer is "MR1"; allowed: "MR2"'
  expect(() => compareAnswer({ band: 'MR1' }, { band: 'MR2' }, 'rating')).toThrow(message)
})

test('a number in place of a text is shown without quotes, and an answer without a field of the record is refused', () => {
  const message = 'level of the answer is 5; allowed: "5"'
  expect(() => compareAnswer({ level: 5 }, { level: '5' }, 'rating')).toThrow(message)
  expect(() => compareAnswer({}, { level: '5' }, 'rating')).toThrow('data of the answer is {}; allowed: an object')
})

describe('a part of a list that is one record', () => {
  const list = ['a', 'b', 'c'].map((constituent_id) => ({ constituent_id, target_weight: '1' }))

  test('is proven from any place on', () => {
    for (const part of [list, list.slice(1), list.slice(0, 1), []]) {
      expect(compareParts(part, list, 'constituents')).toEqual({ known_at: [], added: [] })
    }
  })

  test.each([
    ['with another weight', [{ ...list[0]!, target_weight: '2' }]],
    ['with one left out between', [list[0]!, list[2]!]],
    ['with one that is not in it', [{ ...list[0]!, constituent_id: 'd' }]],
    ['with more than it has', [...list, list[2]!]],
  ])('%s is refused', (_name, part) => {
    expect(() => compareParts(part, list, 'constituents')).toThrow('of the answer')
  })
})
