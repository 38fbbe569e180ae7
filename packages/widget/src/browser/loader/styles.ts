/** `!important` inside a shadow tree wins over every rule of the page. */
export const styles = `
:host{all:initial!important;display:block!important;position:fixed!important;z-index:2147483000!important;inset:auto 0 0 auto!important;width:0!important;height:0!important}
:host([dir=rtl]){inset:auto auto 0 0!important}
:host([hidden]){display:none!important}
*{box-sizing:border-box}
button{position:fixed;bottom:20px;inset-inline-end:20px;width:56px;height:56px;border:0;border-radius:50%;padding:0;display:grid;place-items:center;cursor:pointer;background:var(--color);color:var(--on-color);box-shadow:0 2px 12px #0005}
button:focus-visible{outline:3px solid var(--color);outline-offset:3px}
svg{width:28px;height:28px;fill:currentColor}
.badge{position:fixed;bottom:60px;inset-inline-end:16px;min-width:20px;height:20px;padding:0 5px;border-radius:10px;background:#b3001b;color:#fff;font:600 12px/20px system-ui,sans-serif;text-align:center;pointer-events:none}
[hidden]{display:none}
iframe{position:fixed;bottom:88px;inset-inline-end:20px;width:min(384px,calc(100vw - 40px));height:min(640px,calc(100vh - 108px));border:0;border-radius:12px;box-shadow:0 4px 32px #0006;background:Canvas;visibility:hidden}
iframe.open{visibility:visible}
@media (max-width:480px),(max-height:420px){iframe{inset:var(--top,0) 0 auto;width:100%;height:var(--height,100%);border-radius:0}iframe.open~*{display:none}}
@media (forced-colors:active){button,iframe,.badge{border:2px solid CanvasText}}
@media print{:host{display:none!important}}
@media (prefers-color-scheme:dark){iframe{background:#16181d}}
`
