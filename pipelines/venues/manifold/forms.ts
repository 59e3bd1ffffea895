import { formsOf, type MakeObject, wholeForm } from '../../text/json-forms.ts'

const fees: MakeObject = (v, i) => ({ creatorFee: v[i], liquidityFee: v[i + 1], platformFee: v[i + 2] })

/**
 * Probabilities and bets as the venue writes them (see pipelines/text/json-forms.ts).
 * Measured by bench/parse.bench.ts; the plain twins are bench/support/naive and test/pipelines/text/json-forms.test.ts.
 */
export const MANIFOLD_FORMS = formsOf(
  (v, i) => ({ prob: v[i] }),
  (v, i) => ({ answerProbs: v[i] }),
  (v, i) => ({ type: v[i], topic: v[i + 1], data: v[i + 2] }),
  (v, i) => ({ bets: v[i] }),
  fees,
  (v, i) => ({ timestamp: v[i], matchedBetId: v[i + 1], amount: v[i + 2], shares: v[i + 3] }),
  (v, i) => ({
    id: v[i],
    contractId: v[i + 1],
    userId: v[i + 2],
    outcome: v[i + 3],
    orderAmount: v[i + 4],
    amount: v[i + 5],
    shares: v[i + 6],
    probBefore: v[i + 7],
    probAfter: v[i + 8],
    isFilled: v[i + 9],
    isCancelled: v[i + 10],
    isRedemption: v[i + 11],
    loanAmount: v[i + 12],
    fees: v[i + 13],
    fills: v[i + 14],
    createdTime: v[i + 15],
  }),
  (v, i) => ({
    id: v[i],
    contractId: v[i + 1],
    answerId: v[i + 2],
    userId: v[i + 3],
    outcome: v[i + 4],
    orderAmount: v[i + 5],
    amount: v[i + 6],
    shares: v[i + 7],
    probBefore: v[i + 8],
    probAfter: v[i + 9],
    isFilled: v[i + 10],
    isCancelled: v[i + 11],
    isRedemption: v[i + 12],
    loanAmount: v[i + 13],
    fees: v[i + 14],
    fills: v[i + 15],
    createdTime: v[i + 16],
  }),
  (v, i) => ({
    id: v[i],
    contractId: v[i + 1],
    userId: v[i + 2],
    outcome: v[i + 3],
    orderAmount: v[i + 4],
    amount: v[i + 5],
    shares: v[i + 6],
    limitProb: v[i + 7],
    probBefore: v[i + 8],
    probAfter: v[i + 9],
    isFilled: v[i + 10],
    isCancelled: v[i + 11],
    isRedemption: v[i + 12],
    loanAmount: v[i + 13],
    fees: v[i + 14],
    fills: v[i + 15],
    createdTime: v[i + 16],
  }),
  (v, i) => ({
    id: v[i],
    contractId: v[i + 1],
    answerId: v[i + 2],
    userId: v[i + 3],
    outcome: v[i + 4],
    orderAmount: v[i + 5],
    amount: v[i + 6],
    shares: v[i + 7],
    limitProb: v[i + 8],
    probBefore: v[i + 9],
    probAfter: v[i + 10],
    isFilled: v[i + 11],
    isCancelled: v[i + 12],
    isRedemption: v[i + 13],
    loanAmount: v[i + 14],
    fees: v[i + 15],
    fills: v[i + 16],
    createdTime: v[i + 17],
  }),
)

const BET_NUMBERS = [
  'orderAmount',
  'amount',
  'shares',
  'probBefore',
  'probAfter',
  'loanAmount',
  'creatorFee',
  'liquidityFee',
  'platformFee',
  'timestamp',
  'createdTime',
]

/** A message of one bet. */
const messageOf = (bet: MakeObject) =>
  wholeForm((v, i) => ({ type: 'broadcast', topic: v[i], data: { bets: [bet(v, i + 1)] } }), BET_NUMBERS)

/** A fill by the market maker, which has no bet of its own. */
const fill: MakeObject = (v, i) => ({ timestamp: v[i], matchedBetId: null, amount: v[i + 1], shares: v[i + 2] })

/** One bet filled at once by the market maker, as nearly all are: on a market, and on an answer. */
export const MANIFOLD_BETS = [
  messageOf((v, i) => ({
    id: v[i],
    contractId: v[i + 1],
    userId: v[i + 2],
    outcome: v[i + 3],
    orderAmount: v[i + 4],
    amount: v[i + 5],
    shares: v[i + 6],
    probBefore: v[i + 7],
    probAfter: v[i + 8],
    isFilled: true,
    isCancelled: false,
    isRedemption: false,
    loanAmount: v[i + 9],
    fees: fees(v, i + 10),
    fills: [fill(v, i + 13)],
    createdTime: v[i + 16],
  })),
  messageOf((v, i) => ({
    id: v[i],
    contractId: v[i + 1],
    answerId: v[i + 2],
    userId: v[i + 3],
    outcome: v[i + 4],
    orderAmount: v[i + 5],
    amount: v[i + 6],
    shares: v[i + 7],
    probBefore: v[i + 8],
    probAfter: v[i + 9],
    isFilled: true,
    isCancelled: false,
    isRedemption: false,
    loanAmount: v[i + 10],
    fees: fees(v, i + 11),
    fills: [fill(v, i + 14)],
    createdTime: v[i + 17],
  })),
]
