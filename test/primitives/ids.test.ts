import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deriveId, parseId, sha256Hex } from '../../primitives/ids.ts'

describe('derived ids', () => {
  test('are the first 128 bits of SHA-256 of the parts joined by U+001F', () => {
    // printf 'metaculus\x1f2025-11-23\x1f5768' | sha256sum
    expect(deriveId('obs', 'metaculus', '2025-11-23', '5768')).toBe(
      `obs_${sha256Hex('metaculus\u001f2025-11-23\u001f5768').slice(0, 32)}`,
    )
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(sha256Hex(new Uint8Array([97, 98, 99]))).toBe(sha256Hex('abc'))
  })

  test('the same parts give the same id; moving a character between parts gives another', () => {
    const part = fc.string().filter((text) => !text.includes('\u001f'))
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(part, { minLength: 1, maxLength: 4 }),
        (a, b) => {
          expect(deriveId('obs', ...a) === deriveId('obs', ...b)).toBe(JSON.stringify(a) === JSON.stringify(b))
        },
      ),
    )
    expect(deriveId('obs', 'ab', 'c')).not.toBe(deriveId('obs', 'a', 'bc'))
    expect(deriveId('obs', 'ab')).not.toBe(deriveId('obs', 'ab', ''))
  })

  test('a missing part is an empty one, a number its digits', () => {
    expect(deriveId('mkt', 'a', null)).toBe(deriveId('mkt', 'a', ''))
    expect(deriveId('mkt', 'a', 7)).toBe(deriveId('mkt', 'a', '7'))
  })
})

describe('ids given by a user', () => {
  test.each(['idx_a', 'idx_demo', 'idx_A-b.c_9', `idx_${'x'.repeat(128)}`])('%s is one', (id) => {
    expect(parseId('idx', id, 'index_id')).toBe(id)
  })

  const REFUSED = [
    '',
    'idx_',
    'idx',
    'mkt_demo',
    'idx_a b',
    'idx_ä',
    'idx_a/b',
    'idx_a\n',
    ' idx_a',
    `idx_${'x'.repeat(129)}`,
  ]
  test.each([...REFUSED, null, 7, undefined])('%j is none', (id) => {
    expect(() => parseId('idx', id, 'index_id')).toThrow(
      `index_id is ${JSON.stringify(id)}; allowed: idx_ followed by 1 to 128 of [A-Za-z0-9_.-]`,
    )
  })

  test('every derived id is accepted', () => {
    fc.assert(fc.property(fc.string(), (text) => parseId('con', deriveId('con', text), 'id').startsWith('con_')))
  })
})
