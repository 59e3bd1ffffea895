/** Parts of Betfair's Exchange API that are read, as its documentation names them. */
export const BETFAIR_ENDPOINTS = {
  /** One line of the market stream: `{op: "mcm", pt, clk, mc: [...]}`. */
  stream: 'stream mcm',
  /** A market's names and rules: one catalogue or a list of them. */
  catalogue: 'listMarketCatalogue',
} as const

export const BETFAIR = 'betfair'
