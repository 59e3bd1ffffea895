import { describe, expect, test } from 'vitest'
import {
  basisPoints,
  decideRestatement,
  formatBasisPoints,
  formatSignedBasisPoints,
  isCorrectionReason,
} from '../../../pipelines/index/correction.ts'
import { CORRECTION_REASONS } from '../../../vocabulary/index-level.ts'
import { DAY, NOW, parameters } from '../../support/index-world.ts'

const { restate } = parameters()
const decide = (old_level: string | null, new_level: string | null, age = DAY) =>
  decideRestatement({ old_level, new_level, tick_at: NOW, detected_at: NOW + age }, restate)

describe('basis points', () => {
  test.each([
    ['100.0000', '100.1000', '10.00'],
    ['100.0000', '99.9000', '10.00'],
    ['100.0000', '100.0000', '0.00'],
    ['1000.0000', '1000.0005', '0.00'],
    ['1000.0000', '1000.0015', '0.02'],
    ['40.0000', '0.0000', '10000.00'],
  ])('%s to %s: %s, half even', (before, after, points) => {
    expect(formatBasisPoints(before, after)).toBe(points)
  })

  test.each([
    ['100.0000', '100.1000', '10.00'],
    ['100.0000', '99.9000', '-10.00'],
    ['100.0000', '100.0000', '0.00'],
    ['1000.0000', '999.9996', '0.00'],
    ['0.0000', '1.0000', null],
  ])('%s to %s with the sign of the difference: %s', (before, after, points) => {
    expect(formatSignedBasisPoints(before, after)).toBe(points)
  })

  test.each([
    [null, '1.0000'],
    ['1.0000', null],
    [null, null],
    ['0.0000', '1.0000'],
  ])('%s to %s has no ratio', (before, after) => {
    expect(basisPoints(before, after)).toBeNull()
    expect(formatBasisPoints(before, after)).toBeNull()
  })
})

describe('restatement', () => {
  test('the threshold itself restates; just under it is an erratum, though both print 10.00', () => {
    expect(decide('1000.0000', '1001.0000')).toBe('official')
    expect(decide('1000.0000', '1000.9999')).toBe('erratum')
    expect(formatBasisPoints('1000.0000', '1000.9999')).toBe('10.00')
  })

  test('the end of the window still restates; a microsecond later the committee votes', () => {
    expect(decide('100.0000', '101.0000', 2 * DAY)).toBe('official')
    expect(decide('100.0000', '101.0000', 2 * DAY + 1)).toBe('committee')
  })

  test('a small error found late stays an erratum', () => {
    expect(decide('100.0000', '100.0100', 30 * DAY)).toBe('erratum')
  })

  test('a level that appears or disappears is above any threshold; an unchanged one below', () => {
    expect(decide(null, '100.0000')).toBe('official')
    expect(decide('100.0000', null, 3 * DAY)).toBe('committee')
    expect(decide('0.0000', '0.0001')).toBe('official')
    expect(decide('0.0000', '0.0000')).toBe('erratum')
    expect(decide(null, null)).toBe('erratum')
  })
})

test('the reasons are those of the methodology', () => {
  expect(CORRECTION_REASONS.every(isCorrectionReason)).toBe(true)
  expect(CORRECTION_REASONS).toHaveLength(7)
  expect(['late_data', 'OTHER', '', null].some(isCorrectionReason)).toBe(false)
})
