import { createHash } from 'node:crypto'
import { expect } from 'vitest'

/** Cells of a table of a page, row by row. */
export function rowsOf(html: string, id: string): string[][] {
  const body = new RegExp(`<table id="${id}">[\\s\\S]*?<tbody>([\\s\\S]*?)</tbody>`).exec(html)
  expect(body).not.toBe(null)
  return [...body![1]!.matchAll(/<tr>(.*)<\/tr>/g)].map((row) =>
    [...row[1]!.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map((cell) => cell[1]!),
  )
}

/** A page asks nobody for anything, and runs no script but the one whose hash it names. */
export function expectSelfContained(html: string): void {
  expect(html).not.toMatch(/https?:|\/\/[a-z]|\bsrc=|\bhref=|@import|<link|<iframe|<img/i)
  expect([...html.matchAll(/url\(([^)]*)\)/g)].filter((match) => !/^#p-[a-z-]+$/.test(match[1]!))).toEqual([])
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)]
  expect(scripts).toHaveLength(1)
  const hash = createHash('sha256').update(scripts[0]![1]!).digest('base64')
  expect(html).toContain(
    `default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; script-src &#39;sha256-${hash}&#39;`,
  )
  expect(html).not.toMatch(/undefined|NaN|\[object|Infinity/)
}

/** Every pattern, table and tag that a page names is there, once. */
export function expectWhole(html: string): void {
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]!)
  expect(new Set(ids).size).toBe(ids.length)
  const named = [...html.matchAll(/data-(?:table|copy)="([^"]*)"|url\(#([^)]*)\)/g)].map(
    (match) => match[1] ?? match[2]!,
  )
  expect(named.filter((id) => !ids.includes(id))).toEqual([])
  for (const tag of ['svg', 'g', 'table', 'section', 'details', 'div', 'text', 'dl', 'ul'])
    expect([tag, html.match(new RegExp(`<${tag}[ >]`, 'g'))?.length]).toEqual([
      tag,
      html.match(new RegExp(`</${tag}>`, 'g'))?.length,
    ])
}
