import htm from 'htm'
import { type ComponentChildren, h, type VNode } from 'preact'

/** Markup as tagged templates: what JSX would be, without a compiler of its own. */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode
export type Children = ComponentChildren
