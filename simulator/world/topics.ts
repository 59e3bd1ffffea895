/** Invented subjects, so that no real person or firm is in a simulated world. */
export type Topic = { readonly code: string; readonly subject: string; readonly category: string }

export const BINARY_TOPICS: readonly Topic[] = [
  { code: 'HARBOR', subject: 'the harbor handle more than 40,000 containers', category: 'Economics' },
  { code: 'LEVY', subject: 'the river levy pass its second reading', category: 'Politics' },
  { code: 'RAILWAY', subject: 'the summit railway carry more than 90,000 passengers', category: 'Transportation' },
  { code: 'GAUGE', subject: 'the river gauge read above 3.20 metres', category: 'Climate and Weather' },
  { code: 'RATE', subject: 'the island bank lower its base rate', category: 'Economics' },
  { code: 'PROBE', subject: 'the ice probe reach its drilling depth', category: 'Science and Technology' },
  { code: 'BRIDGE', subject: 'the old bridge reopen to traffic', category: 'Transportation' },
  { code: 'WHEAT', subject: 'the wheat co-operative report a surplus', category: 'Economics' },
]

export const MULTI_TOPICS: readonly (Topic & { readonly labels: readonly string[] })[] = [
  {
    code: 'MAYOR',
    subject: 'Who will be the next mayor of Lowport?',
    category: 'Politics',
    labels: ['Ada Brook', 'Ben Carrow', 'Cleo Dunmere', 'Dov Eastlake'],
  },
  {
    code: 'REGATTA',
    subject: 'Which club will win the lake regatta?',
    category: 'Sports',
    labels: ['North Quay', 'Old Mill', 'Pine Point', 'Reed Bay'],
  },
]

export const NESTED_TOPICS: readonly Topic[] = [
  { code: 'TUNNEL', subject: 'the fjord tunnel open', category: 'Transportation' },
  { code: 'TREATY', subject: 'the fishing treaty be signed', category: 'Politics' },
]
