import htm from 'htm'
import { type ComponentChildren, h, type VNode } from 'preact'
import { isLinkable, plainLines } from '../primitives/plain-text.ts'

type Props = Readonly<Record<string, unknown>> | null
/** Creates an element of any type. */
const create = h as (type: unknown, props: Props, ...children: unknown[]) => VNode

/**
 * Creates an element whose texts can hide nothing and whose links lead to the web or to our own pages: venues write titles, reasons and
 * addresses, so this holds for every text on the page.
 */
function safely(type: unknown, props: Props, ...children: unknown[]): VNode {
  return create(type, typeof type === 'string' ? safeProps(props) : props, ...children.map(safeChild))
}

function safeProps(props: Props): Props {
  if (props === null) return props
  const safe = Object.entries(props).filter(([name, value]) => name !== 'href' || isLinkable(String(value)))
  return Object.fromEntries(safe.map(([name, value]) => [name, typeof value === 'string' ? plainLines(value) : value]))
}

function safeChild(child: unknown): unknown {
  if (Array.isArray(child)) return child.map(safeChild)
  return typeof child === 'string' ? plainLines(child) : child
}

/** Markup as tagged templates: JSX without a compiler. */
export const html = htm.bind(safely) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode
export type Children = ComponentChildren
