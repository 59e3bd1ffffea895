import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { CommandContext } from '../../../cli/command.ts'
import { accountKeyCommand } from '../../../cli/commands/account-key.ts'
import { SCOPES } from '../../../protocol/signing/scopes.ts'
import { sandboxMarketFiles } from '../../../service/sandbox/sandbox-markets.ts'
import { addMarketCommand } from '../../../service/trading/add-market-command.ts'
import { parseMarket } from '../../../service/trading/market-file.ts'
import { marketTerms } from '../../../trading/market/market-terms.ts'

const [HARBOR = ''] = sandboxMarketFiles().filter((file) => file.endsWith('harbor.yaml'))
const TEXT = readFileSync(HARBOR, 'utf8')

test('the markets of the sandbox can be listed: at least three, binary, with ids of their own', () => {
  const markets = sandboxMarketFiles().map((file) => parseMarket(readFileSync(file, 'utf8'), file))
  expect(markets.length).toBeGreaterThanOrEqual(3)
  for (const market of markets) {
    expect(market.outcomes).toHaveLength(2)
    expect(marketTerms(market.trading_parameters, 6).price_scale).toBe(2)
  }
  const ids = markets.flatMap(({ market_id, outcomes }) => [market_id, ...outcomes.map(({ outcome_id }) => outcome_id)])
  expect(new Set(ids).size).toBe(ids.length)
})

describe('a file that is not right is told in one sentence: the place, the value, what is allowed', () => {
  test.each([
    ['title: "Will', 'title: "\\u202eWill', 'market.title is "'],
    ['title: "Will', 'title: "\\u001b[31mWill', 'marks that turn its order'],
    ['    timezone: Etc/UTC', '    timezone: "Etc/\\u2066UTC"', 'market.rules.timezone is "Etc/?UTC"'],
    ['title: "Will', 'titel: "Will', 'market.title is missing'],
    ['price_min: "0.01"', 'price_min: 0.01', 'market.trading_parameters.price_min is 0.01; allowed: base-10 decimal'],
    ['mkt_sandbox_harbor', 'harbor', 'market.market_id is "harbor"; allowed: mkt_ followed by 1 to 128'],
    ['shorting_permitted: true', 'shorting_permitted: "yes"', 'shorting_permitted is "yes"; allowed: true or false'],
    ['    timezone: Etc/UTC', '    zone: Etc/UTC', 'market.rules.zone is not known; allowed here: rules_version,'],
    ['out_sandbox_harbor_no', 'out_sandbox_harbor_yes', 'names out_sandbox_harbor_yes twice'],
    ['market:', 'market: [', 'is not YAML'],
  ])('%s -> %s', (right, wrong, sentence) => {
    expect(() => parseMarket(TEXT.replace(right, wrong), 'f.yaml')).toThrow(sentence)
  })
})

describe('the fees of a market', () => {
  const market = parseMarket(TEXT, 'harbor.yaml')
  const version = (schedule_version: number, taker_rate: string) => ({
    schedule_id: 'fees_standard',
    schedule_version,
    taker_rate,
    maker_rate: '0',
    effective_from: '2026-01-01T00:00:00Z',
    market_ids: [],
  })

  test('of a schedule that is not known make its first version', () => {
    expect(addMarketCommand(market, []).fees).toMatchObject({
      schedule_version: 1,
      taker_rate: '0.02',
      maker_rate: '0',
    })
  })

  test('of one that is known are those in force', () => {
    expect(addMarketCommand(market, [version(1, '0.01'), version(2, '0.02')]).fees.schedule_version).toBe(2)
    expect(() => addMarketCommand(market, [version(1, '0.02'), version(2, '0.03')])).toThrow(
      'allowed: those of its version 2, 0.03 and 0',
    )
  })
})

test('the scopes that the command line offers are those of the protocol', () => {
  const create = accountKeyCommand({} as CommandContext).commands.find((command) => command.name() === 'create')!
  const offered = create.options.find(({ long }) => long === '--scope')?.argChoices
  expect(offered).toEqual(SCOPES)
})
