import { describe, expect, test } from 'vitest'
import type { BookRecord } from '../../../../pipelines/venues/record.ts'
import { change, image, readAll, START } from './messages.ts'

/** Books of runner 11 as second, bids and asks, prices and sizes without needless zeros. */
function briefly({ books }: Pick<ReturnType<typeof readAll>, 'books'>) {
  const levels = (side: BookRecord['bids']) => side.map(({ price, quantity }) => [Number(price), Number(quantity)])
  const of_runner = books.filter(({ outcome }) => outcome === '11')
  return of_runner.map(({ source_at, bids, asks }) => ['11', (source_at - START) / 1e6, levels(bids), levels(asks)])
}

describe('ladders by place', () => {
  test.each([
    ['cut ladders', 'batb', 'batl'],
    ['ladders as the site shows them', 'bdatb', 'bdatl'],
  ])('%s name levels by place; a size of 0 empties one', (_case, back, lay) => {
    const first = [
      {
        id: 11,
        [back]: [
          [0, 2, 10],
          [1, 1.9, 5],
          [2, 0, 0],
        ],
        [lay]: [[0, 2.1, 5]],
      },
    ]
    const next = [
      {
        id: 11,
        [back]: [
          [0, 2.02, 1],
          [1, 2, 9],
        ],
        [lay]: [[0, 0, 0]],
      },
    ]
    const records = readAll([image(0, { rc: first }), change(61, { rc: next })])
    expect(records.quarantine).toEqual([])
    expect(briefly(records)).toEqual([
      [
        '11',
        0,
        [
          [2, 10],
          [1.9, 5],
        ],
        [[2.1, 5]],
      ],
      [
        '11',
        61,
        [
          [2.02, 1],
          [2, 9],
        ],
        [],
      ],
    ])
  })

  test('whole ladders count before cut ones, whichever came first', () => {
    const cut = { id: 11, batb: [[0, 2, 10]] }
    const records = readAll([
      image(0, { rc: [cut] }),
      change(61, {
        rc: [
          {
            id: 11,
            atb: [
              [2, 10],
              [1.5, 1],
            ],
          },
          cut,
        ],
      }),
    ])
    expect(briefly(records)).toEqual([
      ['11', 0, [[2, 10]], []],
      [
        '11',
        61,
        [
          [2, 10],
          [1.5, 1],
        ],
        [],
      ],
    ])
  })

  test('a place that cannot be read loses the book until the next image', () => {
    const records = readAll([
      image(0, { rc: [{ id: 11, batb: [[0, 2, 10]] }] }),
      change(1, { rc: [{ id: 11, batb: [['x', 2, 10]] }] }),
      change(2, { rc: [{ id: 11, batb: [[0, 2, 11]] }] }),
    ])
    expect(records.quarantine.map(({ reason }) => reason)).toEqual(['BAD_VALUE', 'NO_BASE_BOOK'])
  })
})
