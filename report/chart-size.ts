import { type Markup, markup } from './markup.ts'

/** Widths of a chart; the text has the same size in both. */
export type ChartSize = 'wide' | 'narrow'

/** The place of a plot inside its picture, in pixels of the picture. */
export type Box = {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const WIDTH = { wide: 840, narrow: 400 } as const
const LEFT = { wide: 58, narrow: 46 } as const
/** Room for the labels at the right end of the lines. */
const RIGHT = { wide: 116, narrow: 84 } as const
const TOP = 16

/** A plot of `plot_height` with `below` pixels under it for axis and ribbons. */
export function plotBox(size: ChartSize, plot_height: number, below: number): Box {
  const bottom = TOP + plot_height
  return {
    width: WIDTH[size],
    height: bottom + below,
    left: LEFT[size],
    right: WIDTH[size] - RIGHT[size],
    top: TOP,
    bottom,
  }
}

/** The same chart for wide and for narrow pages; the style sheet shows one of them. */
export function bothSizes(draw: (size: ChartSize) => Markup): Markup {
  return markup`<div class="wide">${draw('wide')}</div><div class="narrow">${draw('narrow')}</div>`
}

/** A coordinate: one decimal is a tenth of a pixel. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10)
}
