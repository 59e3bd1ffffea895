import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseMarket } from '../../../service/trading/market-file.ts'
import { marketTerms } from '../../../trading/market/market-terms.ts'
import { commandWords } from '../../support/console-blocks.ts'
import { tidemark } from '../../support/run-cli.ts'
import { ROOT } from '../../support/source-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

/** The page of those who run it: what it shows is run. */
const PAGE = readFileSync(join(ROOT, 'docs/trading-operations.md'), 'utf8')
const fresh = withDatabase()
const home = tempFolder()

test("operators' commands can be typed as they stand, one after the other", async () => {
  const block = PAGE.split('```sh\n').find((part) => part.includes('tidemark asset add'))!
  const [exported, ...lines] = block.split('```')[0]!.trim().split('\n')
  const [, name = '', value = ''] = /^export (\w+)=(\w+)$/.exec(exported!) ?? []
  const environment = { DATABASE_URL: (await fresh()).url, TIDEMARK_HOME: home, [name]: value }
  expect(lines.length).toBeGreaterThan(12)
  for (const line of lines) {
    const argv = commandWords(line.replace('datasets/', `${ROOT}/datasets/`)).slice(1)
    const { exit_code, stderr } = await tidemark(argv, { environment })
    const told = stderr.replaceAll(
      /^(.* is the first registered operator of this database; .*|recorded as act_\w+|no rows|made the key-encryption key .*; keep a copy)\n/gm,
      '',
    )
    expect({ line, exit_code, told }).toEqual({ line, exit_code: 0, told: '' })
  }
}, 120_000)

test('the market file that it shows can be listed', () => {
  const yaml = PAGE.split('```yaml\n')[1]!.split('```')[0]!
  const market = parseMarket(yaml, 'docs/trading-operations.md')
  expect(market.outcomes).toHaveLength(2)
  expect(marketTerms(market.trading_parameters, 6).price_increment).toBe(1)
})

test('the first page for API traders shows the order of docs/trading-api.md, which another test executes', () => {
  const codeOf = (file: string) => /```js\n(.*?)```/s.exec(readFileSync(join(ROOT, file), 'utf8'))![1]
  expect(codeOf('docs/start/api-trader.md')).toBe(codeOf('docs/trading-api.md'))
})
