/** Runs when any of the texts becomes a script, an event handler or an address. */
const script = 'top.pwned=1'

/** Texts that customers and their mails can store, each of which runs or loads something where it is taken for markup. */
export const hostileContents: readonly string[] = [
  `<script>${script}</script>`,
  `<img src=x onerror="${script}">`,
  `<svg onload="${script}"><animate onbegin="${script}" attributeName=x dur=1s></svg>`,
  `<svg><script href="https://elsewhere.example/x.js"></script></svg>`,
  `<iframe srcdoc="<script>parent.${script}</script>"></iframe>`,
  `<iframe src="https://elsewhere.example/frame"></iframe><object data="https://elsewhere.example/o"></object>`,
  `<img src="https://elsewhere.example/pixel.gif" srcset="https://elsewhere.example/2.gif 2x">`,
  `<link rel=stylesheet href="https://elsewhere.example/x.css"><style>@import "https://elsewhere.example/y.css"</style>`,
  `<div style="background:url(https://elsewhere.example/b.gif)">a</div><table background="https://elsewhere.example/t.gif">`,
  `<meta http-equiv=refresh content="0;url=https://elsewhere.example/"><base href="https://elsewhere.example/">`,
  `<a href="javascript:${script}">click</a> <a href="data:text/html,<script>${script}</script>">data</a>`,
  `[click](javascript:${script}) ![x](https://elsewhere.example/m.gif) <javascript:${script}>`,
  `<form action="https://elsewhere.example/"><input autofocus onfocus="${script}"><button>go</button></form>`,
  `<details open ontoggle="${script}"><video src="https://elsewhere.example/v" autoplay onerror="${script}"></video></details>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${script}"></style></mglyph></table></mtext></math>`,
  `<noscript><p title="</noscript><img src=x onerror=${script}>"></noscript>`,
  `</title></textarea></script><script>${script}</script><!--><img src=x onerror=${script}>-->`,
  `'"><img/src='x'onerror=${script}>{{constructor.constructor('${script}')()}}`,
]
