/**
 * The look of a report: one column, hairlines, digits of one width; dark where the reader's system is dark, black on white on
 * paper. Series differ in lightness and states in pattern, so that nothing needs color.
 */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#17212b;--muted:#5a6672;--rule:#ccd3da;--grid:#e6eaee;--main:#0b4a8f;--other:#b03f12;
--tint-warm:#fbf0dc;--tint-cool:#e9eef3;--tint-alarm:#f9e3dd;--tint-calm:#e6f1ea;--pattern:#55606c;
--c0:#1d4e89;--c1:#a9c8e8;--c2:#00695f;--c3:#a3dccb;--c4:#7d4f00;--c5:#f0cf85;--c6:#77295a;--c7:#e3b8d2}
@media(prefers-color-scheme:dark){:root{--paper:#10161c;--ink:#e6ebf0;--muted:#9aa7b4;--rule:#36414c;--grid:#232c35;--main:#7db4f0;--other:#f2996b;
--tint-warm:#3a3120;--tint-cool:#222c36;--tint-alarm:#43261f;--tint-calm:#1d3329;--pattern:#a9b5c1;
--c0:#3f7cc4;--c1:#bcd7f2;--c2:#1f9486;--c3:#b5e8d9;--c4:#b3781c;--c5:#f5dca1;--c6:#b0568d;--c7:#eccade}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.5 Inter,system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:888px;margin:0 auto;padding:28px 24px 56px}
header .kind{margin:0;color:var(--muted);font-size:12px;letter-spacing:.08em;text-transform:uppercase}
h1{margin:2px 0 4px;font-size:26px;line-height:1.2;font-weight:650;letter-spacing:-.01em}
header .about{margin:0;color:var(--muted);max-width:70ch}
h2{margin:34px 0 6px;padding-top:10px;border-top:2px solid var(--ink);font-size:16px;font-weight:650}
h3{margin:18px 0 4px;font-size:13px;font-weight:650}
p{margin:0 0 8px;max-width:82ch}
.note,.lead,.empty{color:var(--muted);font-size:13px}
code,td.code,span.code,.hash{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.88em}
.facts{margin:14px 0 0;border-top:1px solid var(--rule)}
.facts div{display:flex;gap:12px;padding:5px 0;border-bottom:1px solid var(--rule);min-width:0}
.facts .head{border-top:1px solid var(--ink);margin-top:-1px;font-weight:650}
.facts dt{flex:0 0 8.2em;color:var(--muted)}
.facts dd{margin:0;min-width:0;overflow-wrap:anywhere}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(122px,1fr));gap:14px 20px;margin:18px 0 0;padding:0;list-style:none}
.figures b{display:block;font-size:19px;line-height:1.25;font-weight:650;letter-spacing:-.01em}
.figures span{display:block;color:var(--muted);font-size:12px}
.verdict{margin:18px 0 0;padding:9px 13px;border-left:4px solid var(--main);background:var(--tint-cool);max-width:none}
.verdict.alarm{border-left:4px double var(--other);background:var(--tint-alarm)}
.wide svg,.narrow svg,.small svg{display:block;width:100%;height:auto;overflow:visible}
.narrow{display:none}
svg text{font-size:11.5px;fill:var(--muted)}
.defs{position:absolute}
.axis line{stroke:var(--rule)}.axis text{text-anchor:middle}.axis .context,.context{fill:var(--muted);font-size:10.5px}.start,.axis .start{text-anchor:start}
.axis.values line{stroke:var(--grid)}.axis.values text{text-anchor:end}
.line path{fill:none;stroke-width:1.7;stroke-linejoin:round}.line .carried{stroke-dasharray:1.5 3.5}
.line.main path{stroke:var(--main)}.line.main circle{fill:var(--main)}
.line.other path{stroke:var(--other);stroke-dasharray:6 3}.line.other .carried{stroke-dasharray:1.5 3.5}.line.other circle{fill:var(--other)}
.marks path{fill:none;stroke:var(--other);stroke-width:1}.marks .diamond{fill:var(--paper);stroke-width:1.6}
.bars path{stroke:var(--other);stroke-width:1.6;fill:none}.bars line{stroke:var(--ink)}
.ends text{font-size:12px}.ends .main{fill:var(--main);font-weight:650}.ends .other{fill:var(--other);font-weight:650}.ends .name{fill:var(--ink);font-size:11.5px}.ends .context{font-weight:400}
.limit{stroke:var(--ink);stroke-dasharray:5 4;stroke-width:1}
.milestones line{stroke:var(--ink);stroke-dasharray:2 3}.milestones text{fill:var(--ink);font-size:11px}
.stack path,.stack rect{stroke:var(--paper);stroke-width:.6}
.c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}.c6{fill:var(--c6)}.c7{fill:var(--c7)}
.shading{opacity:.42}
.ribbon rect{stroke:var(--rule);stroke-width:.75}
.state{text-anchor:middle;font-size:10.5px;fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:3.5px;stroke-linejoin:round}
.warm{fill:var(--tint-warm)}.cool{fill:var(--tint-cool)}.alarm{fill:var(--tint-alarm)}.calm{fill:var(--tint-calm)}
.ink{stroke:var(--pattern);stroke-width:.9;fill:none}.dot{fill:var(--pattern)}
.cross{stroke:var(--ink);stroke-width:1;visibility:hidden}
.legend{display:flex;flex-wrap:wrap;gap:2px 18px;margin:6px 0 10px;padding:0;list-style:none;font-size:12px;color:var(--muted)}
.legend svg{vertical-align:-1px;overflow:visible}
.grid{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:14px 22px;margin-top:10px}
figure{margin:0}
.small figcaption{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:0 8px;font-size:12px;line-height:1.35}
.small b,.small small{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.small small{grid-column:1/-1;color:var(--muted);font-size:11px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:12.5px;line-height:1.35;min-width:60%}
th,td{padding:3px 16px 3px 0;text-align:left;vertical-align:top;white-space:nowrap}
th{border-bottom:1px solid var(--ink);font-family:inherit;font-size:inherit;font-weight:600;vertical-align:bottom;white-space:normal}
td{border-bottom:1px solid var(--grid)}
th.number,td.number{text-align:right}th:last-child,td:last-child{padding-right:0}
td.text{white-space:normal;overflow-wrap:break-word;min-width:5em;max-width:38em}td.text.long{min-width:24em}
td.none{color:var(--muted)}
summary{cursor:pointer;margin-top:14px;font-size:13px;font-weight:650}
button{margin-left:8px;padding:1px 8px;border:1px solid var(--rule);border-radius:3px;background:none;color:var(--muted);font:inherit;font-size:11.5px;font-weight:400;cursor:pointer}
button:hover,button:focus-visible{color:var(--ink);border-color:var(--ink)}
.tip{position:absolute;width:max-content;z-index:2;pointer-events:none;padding:6px 9px;border:1px solid var(--rule);border-radius:3px;background:var(--paper);color:var(--ink);font-size:12px;line-height:1.4;box-shadow:0 2px 8px rgb(0 0 0/.18)}
.tip dl{display:grid;grid-template-columns:auto auto;gap:0 12px;margin:0}.tip dt{color:var(--muted)}.tip dd{margin:0;text-align:right}
code span{white-space:nowrap}
footer{margin-top:36px;padding-top:10px;border-top:1px solid var(--rule);color:var(--muted);font-size:12.5px}
@media(max-width:640px){main{padding:18px 14px 40px}.wide{display:none}.narrow{display:block}.facts div{flex-direction:column;gap:0}.facts dt{flex:none}.grid{grid-template-columns:repeat(2,minmax(0,1fr));gap:12px 14px}h1{font-size:22px}.figures{grid-template-columns:repeat(3,minmax(0,1fr))}.figures b{font-size:16px}}
@page{size:A4 portrait;margin:15mm 14mm 17mm;@bottom-right{content:counter(page) " / " counter(pages);font:8.5pt Inter,Arial,sans-serif;color:#5a6672}}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--muted:#454f59;--rule:#b8c0c8;--grid:#dfe3e7;--main:#0b4a8f;--other:#a03508;
--tint-warm:#fbf0dc;--tint-cool:#e9eef3;--tint-alarm:#f9e3dd;--tint-calm:#e6f1ea;--pattern:#4a5560;
--c0:#1d4e89;--c1:#a9c8e8;--c2:#00695f;--c3:#a3dccb;--c4:#7d4f00;--c5:#f0cf85;--c6:#77295a;--c7:#e3b8d2}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{font-size:9.6pt}.figures{grid-template-columns:repeat(6,auto)}.figures b{font-size:13pt}details:not([open]) summary::after{content:" (closed: open it to print its rows)";font-weight:400}main{max-width:none;padding:0}.wide{display:block}.narrow{display:none}.grid{grid-template-columns:repeat(3,minmax(0,1fr))}
h2{margin-top:20pt}h2,h3,.lead{break-after:avoid}.wide,.small,.legend,.figures,.facts div,tr{break-inside:avoid}thead{display:table-header-group}
table{font-size:8pt}th,td{padding-right:7pt}td.code.long{white-space:normal;overflow-wrap:anywhere;min-width:13em}td.text.long{min-width:13em}.scroll{overflow:visible}button,.tip,.cross{display:none}}
`
