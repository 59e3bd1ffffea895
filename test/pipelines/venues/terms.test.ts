import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PAYLOAD_VENUES } from '../../../pipelines/venues/payload-venues.ts'
import { isIndexEligible, termsOf, VENUE_TERMS } from '../../../pipelines/venues/terms.ts'
import { ROOT } from '../../support/source-files.ts'

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')

test('docs/venue-terms.md has exactly these terms', () => {
  const text = readFileSync(join(ROOT, 'docs/venue-terms.md'), 'utf8')
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  expect(rows).toEqual(
    VENUE_TERMS.map((terms) => {
      const words = [terms.public_prices, terms.public_trades, terms.index_eligible].map(yesOrNo)
      return `| \`${terms.venue_id}\` | ${[...words, terms.attribution ?? '-', terms.note].join(' | ')} |`
    }),
  )
})

describe('what may be served publicly', () => {
  test.each(['predictit', 'betfair'])('%s: nothing, and no index', (venue_id) => {
    expect(termsOf(venue_id)).toMatchObject({ public_prices: false, public_trades: false, index_eligible: false })
  })

  test.each(['metaculus', 'infer'])('%s: with attribution', (venue_id) => {
    expect(termsOf(venue_id)?.attribution).toContain('CC BY-SA')
  })

  test('manifold: prices, but no single trades', () => {
    expect(termsOf('manifold')).toMatchObject({ public_prices: true, public_trades: false, index_eligible: true })
  })

  test('a source that may not be served may not enter an index', () => {
    expect(VENUE_TERMS.filter((terms) => terms.index_eligible && !terms.public_prices)).toEqual([])
  })

  test('every venue whose payloads are read has terms', () => {
    expect(PAYLOAD_VENUES.filter((venue_id) => termsOf(venue_id) === null)).toEqual([])
  })

  test('a source without terms is let through', () => {
    expect(isIndexEligible('sample')).toBe(true)
    expect(isIndexEligible('predictit')).toBe(false)
  })
})
