import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LastOfMinute } from '../../../pipelines/market/last-of-minute.ts'

const SECOND = 1_000_000
const at = (seconds: number) => ({ source_at: seconds * SECOND })

describe('a key that has gone quiet', () => {
  test('its minute ends when it has been over for a minute, and no later', () => {
    const moments = new LastOfMinute<{ readonly source_at: number }>()
    moments.add('quiet', at(59))
    expect(moments.endOver(119 * SECOND)).toEqual([])
    expect(moments.endOver(120 * SECOND)).toEqual([at(59)])
    expect(moments.endOver(600 * SECOND)).toEqual([])
    expect(moments.finish()).toEqual([])
  })

  test('an older item stays dropped, and a later one begins a minute', () => {
    const moments = new LastOfMinute<{ readonly source_at: number }>()
    moments.add('quiet', at(59))
    moments.endOver(180 * SECOND)
    expect(moments.add('quiet', at(58))).toBeNull()
    expect(moments.add('quiet', at(200))).toBeNull()
    expect(moments.add('quiet', at(300))).toEqual(at(200))
    expect(moments.end('quiet')).toEqual(at(300))
  })

  test('items that arrive within their minute give the same states with and without it', () => {
    const item = fc.record({ key: fc.constantFrom('a', 'b', 'c'), wait: fc.integer({ min: 0, max: 200 }) })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), (items) => {
        const [plain, ending] = [new LastOfMinute<Stated>(), new LastOfMinute<Stated>()]
        const [found, ended]: Stated[][] = [[], []]
        let now = 0
        for (const { key, wait } of items) {
          now += wait * SECOND
          const stated = { key, source_at: now }
          const open = plain.add(key, stated)
          if (open !== null) found!.push(open)
          ended!.push(...ending.endOver(now))
          const last = ending.add(key, stated)
          if (last !== null) ended!.push(last)
        }
        expect(sorted([...ended!, ...ending.finish()])).toEqual(sorted([...found!, ...plain.finish()]))
      }),
    )
  })
})

type Stated = { readonly key: string; readonly source_at: number }

function sorted(items: readonly Stated[]): Stated[] {
  return items.toSorted((a, b) => a.source_at - b.source_at || (a.key < b.key ? -1 : 1))
}
