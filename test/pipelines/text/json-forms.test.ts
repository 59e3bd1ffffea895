import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FormStep, formsOf, wholeForm } from '../../../pipelines/text/json-forms.ts'
import { parseJsonText } from '../../../pipelines/text/json-scan.ts'
import { KALSHI_CHANGE, KALSHI_FORMS } from '../../../pipelines/venues/kalshi/forms.ts'
import { MANIFOLD_BETS, MANIFOLD_FORMS } from '../../../pipelines/venues/manifold/forms.ts'
import { POLYMARKET_CHANGE, POLYMARKET_FORMS } from '../../../pipelines/venues/polymarket/forms.ts'
import { parseRecord } from '../../../pipelines/venues/quarantine.ts'
import { InvariantError } from '../../../primitives/errors.ts'
import { SEED } from '../../support/seed.ts'

/** Two that begin alike, one that ends where another goes on, one that holds the others. */
const FORMS = formsOf(
  (v, i) => ({ price: v[i], size: v[i + 1] }),
  (v, i) => ({ price: v[i], side: v[i + 1], size: v[i + 2] }),
  (v, i) => ({ price: v[i] }),
  (v, i) => ({ bids: v[i], asks: v[i + 1] }),
)

/** Parsed content of a text, fields in order; forms must not change it. */
const shown = (text: string, forms?: readonly FormStep[]) =>
  JSON.stringify(parseRecord(() => parseJsonText(text, forms)))

describe('objects', () => {
  test.each([
    '{"price":"0.5","size":"7"}',
    '{"price":0.50,"side":null,"size":-1e3}',
    '{"price":1}',
    '{"bids":[{"price":"1","size":"2"},{"price":"3"}],"asks":[]}',
    '{"price":{"price":{"price":"1","size":[2,3]}},"size":{"price":true}}',
    // Other fields, another order, a field twice, one that is not there, white space, escapes, strange names.
    '{"price":"1","size":"2","hash":"3"}',
    '{"size":"2","price":"1"}',
    '{"price":"1","price":"2"}',
    '{"price":"1","size":"2","price":"3"}',
    '{"price":"1","side":"2"}',
    '{"bids":[]}',
    '{"price": "1","size":"2"}',
    '{"price":"1" ,"size":"2"}',
    '{"price":"1","size":"2" }',
    '{"price":"a\\"b","size":"\\u0031"}',
    '{"pric\\u0065":"1","size":"2"}',
    '{"price":"1","__proto__":"2"}',
    '{"price":"1","siz":"2"}',
    '{}',
    '{"price":}',
    '{"price":"1",}',
    '{"price":"1"',
    '{"price":"1","size":"2"]',
    '{"price":"1\n","size":"2"}',
    '{"price"',
    '{',
  ])('%s', (text) => {
    expect(shown(text, FORMS)).toBe(shown(text))
  })

  test('that have a form are made by it', () => {
    const made: string[] = []
    const forms = formsOf((v, i) => {
      made.push(String(v[i]))
      return { price: v[i], size: v[i + 1] }
    })
    made.length = 0
    parseJsonText('[{"price":"a","size":1},{"size":1,"price":"b"},{"price":"c","size":2}]', forms)
    expect(made).toEqual(['a', 'c'])
  })
})

const value = fc.constantFrom('"1"', '0.50', '-0', 'null', 'true', '"\\n"', '[]', '[1,"2"]', '{"price":"1"}', '{}')
const fields = fc.uniqueArray(fc.constantFrom('price', 'size', 'side', 'bids', 'asks', 'x'), { maxLength: 4 })
const flat = fc.tuple(fields, fc.array(value, { minLength: 4, maxLength: 4 })).map(([names, values]) => {
  return `{${names.map((name, i) => `"${name}":${values[i]}`).join(',')}}`
})
const document = fc.oneof(
  flat,
  fc.tuple(flat, flat).map(([a, b]) => `{"bids":[${a},${b}],"asks":${a}}`),
)

test('a document with forms says what it says without them, also with a character lost, doubled or changed', () => {
  const changed = fc.tuple(document, fc.nat(), fc.constantFrom('', '"', '\\', ',', '}', ']', '1', ' ', '\n'))
  fc.assert(
    fc.property(changed, fc.constantFrom(0, 1), ([text, place, by], lost) => {
      expect(shown(text, FORMS)).toBe(shown(text))
      const at = place % (text.length + 1)
      const hurt = text.slice(0, at) + by + text.slice(at + lost)
      expect(shown(hurt, FORMS)).toBe(shown(hurt))
    }),
    { seed: SEED, numRuns: 5000 },
  )
})

/** Fields of every form that these steps lead to. */
function formsIn(steps: readonly FormStep[]): (readonly string[])[] {
  return steps.flatMap((step) => [...(step.make === null ? [] : [step.fields]), ...formsIn(step.next)])
}

test.each([
  ['polymarket', POLYMARKET_FORMS],
  ['kalshi', KALSHI_FORMS],
  ['manifold', MANIFOLD_FORMS],
])('every form of %s puts each value under its name', (_venue, forms) => {
  for (const names of formsIn(forms)) {
    const text = `{${names.map((name, i) => `"${name}":"${i}"`).join(',')}}`
    expect(shown(text, forms)).toBe(JSON.stringify({ record: JSON.parse(text) }))
  }
})

test('a form whose values are not in their places is a mistake of ours', () => {
  expect(() => formsOf((v, i) => ({ price: v[i + 1], size: v[i] }))).toThrow(InvariantError)
  expect(() => formsOf((v, i) => ({ price: v[i], size: v[i] }))).toThrow(InvariantError)
})

describe('a form of whole texts', () => {
  const CHANGE =
    '{"type":"orderbook_delta","sid":1,"seq":20,"msg":{"market_ticker":"KXA-26","market_id":"849f","price_dollars":"0.4400",' +
    '"delta_fp":"-35.59","side":"yes","ts":"2026-01-01T00:04:07.223325Z"}}'

  test('takes a message as the venue writes it', () => {
    expect(JSON.stringify(KALSHI_CHANGE(CHANGE))).toBe(JSON.stringify(parseJsonText(CHANGE)))
  })

  test.each([
    ['"seq":20', '"seq":020'],
    ['"seq":20', '"seq":-01'],
    ['"seq":20', '"seq":20.'],
    ['"seq":20', '"seq":2e1'],
    ['"seq":20', '"seq":"20"'],
    ['"sid":1,', ''],
    ['"0.4400"', '0.4400'],
    ['"KXA-26"', '"KX\\u0041-26"'],
    ['"KXA-26"', '"KX\u0001"'],
    ['"KXA-26"', '"KX\n"'],
    ['"yes"', '"yes","more":1'],
    ['}}', '} }'],
    ['}}', '}}\n'],
    ['}}', '}'],
  ])('leaves a text with another %s to the scan', (from, to) => {
    expect(KALSHI_CHANGE(CHANGE.replace(from, to))).toBeNull()
  })

  const LEVEL =
    '{"asset_id":"98","price":"0.43","size":"0","side":"BUY","hash":"da","best_bid":"0.51","best_ask":"0.53"}'
  const changing = (...levels: readonly string[]) =>
    `{"market":"0xad","price_changes":[${levels.join(',')}],"timestamp":"1767228251167","event_type":"price_change"}`

  test('takes a list of its own length, each value at its ordinal', () => {
    const text = changing(LEVEL, LEVEL.replace('98', '90').replace('0.43', '0.57').replace('"BUY"', '"SELL"'))
    expect(JSON.stringify(POLYMARKET_CHANGE(text))).toBe(JSON.stringify(parseJsonText(text)))
  })

  test.each([
    ['fewer', changing(LEVEL)],
    ['more', changing(LEVEL, LEVEL, LEVEL)],
    ['others', changing(LEVEL, LEVEL.replace('"size"', '"quantity"'))],
  ])('leaves a list of %s to the scan', (_, text) => {
    expect(POLYMARKET_CHANGE(text)).toBeNull()
  })

  const BET =
    '{"type":"broadcast","topic":"global/new-bet","data":{"bets":[{"id":"5m","contractId":"h2","answerId":"tk","userId":"u","outcome":"YES",' +
    '"orderAmount":32,"amount":-32.5,"shares":126.48201110474,"probBefore":0.24544921979486,"probAfter":0.26,"isFilled":true,' +
    '"isCancelled":false,"isRedemption":false,"loanAmount":0,"fees":{"creatorFee":0.1,"liquidityFee":0,"platformFee":0},' +
    '"fills":[{"timestamp":1767225824470,"matchedBetId":null,"amount":32,"shares":126.4}],"createdTime":1767225824470}]}}'

  test('takes a bet with its numbers as they are written, on an answer or on a market', () => {
    const [of_market, of_answer] = MANIFOLD_BETS
    expect(JSON.stringify(of_answer!(BET))).toBe(JSON.stringify(parseJsonText(BET)))
    expect(of_market!(BET)).toBeNull()
    const plain = BET.replace('"answerId":"tk",', '')
    expect(JSON.stringify(of_market!(plain))).toBe(JSON.stringify(parseJsonText(plain)))
  })

  test.each([
    ['"matchedBetId":null', '"matchedBetId":"b"'],
    ['"isFilled":true', '"isFilled":false'],
    ['"amount":-32.5', '"amount":-32.5e0'],
    ['"amount":-32.5', '"amount":.5'],
    ['"amount":-32.5', '"amount":null'],
  ])('leaves a bet with another %s to the scan', (from, to) => {
    for (const form of MANIFOLD_BETS) expect(form(BET.replace(from, to))).toBeNull()
  })

  test.each([
    ['a change', CHANGE, KALSHI_CHANGE],
    ['a change of two', changing(LEVEL, LEVEL), POLYMARKET_CHANGE],
    ['a bet', BET, MANIFOLD_BETS[1]!],
  ])('says of %s what the scan says, whatever is in it, where it takes it', (_, whole, form) => {
    const hurt = fc.tuple(
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', '}', ']', '-', '.', '1', '0', ' ', '\n', 'ü', '\ud83d'),
      fc.nat(1),
    )
    fc.assert(
      fc.property(hurt, ([place, by, lost]) => {
        const at = place % (whole.length + 1)
        const text = whole.slice(0, at) + by + whole.slice(at + lost)
        const taken = form(text)
        if (taken !== null) expect(JSON.stringify({ record: taken })).toBe(shown(text))
      }),
      { seed: SEED, numRuns: 5000 },
    )
  })

  test('with a constant word takes no other word instead', () => {
    const form = wholeForm((v, i) => ({ type: 'ticker', price: v[i] }), [])
    expect(form('{"type":"ticker","price":"1"}')).toEqual({ type: 'ticker', price: '1' })
    expect(form('{"type":"trade","price":"1"}')).toBeNull()
  })

  test('whose values are not in their places is a mistake of ours', () => {
    expect(() => wholeForm((v, i) => ({ price: v[i + 1], size: v[i] }), [])).toThrow(InvariantError)
    expect(() => wholeForm((v, i) => ({ price: v[i], more: { size: v[i] } }), [])).toThrow(InvariantError)
  })
})
