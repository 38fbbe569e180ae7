/** Safari on a phone enlarges the page when a field with a smaller text than 16 px gets the focus. */
export const styles = `
:root{color-scheme:light dark;--page:#fff;--text:#1b1d22;--quiet:#5a6070;--line:#d5d8e0;--other:#eef0f4;--bad:#a3001a;font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
@media (prefers-color-scheme:dark){:root{--page:#16181d;--text:#f0f1f4;--quiet:#a9afbd;--line:#3a3f4b;--other:#2a2e37;--bad:#ff9aa8}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html,body{margin:0;height:100%;background:var(--page);color:var(--text)}
.chat{display:flex;flex-direction:column;height:100%;min-width:0}
header{display:flex;align-items:center;gap:8px;padding:8px 8px 8px 16px;background:var(--color);color:var(--on-color)}
[dir=rtl] header{padding:8px 16px 8px 8px}
h1{flex:1;min-width:0;margin:0;font-size:16px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
button,textarea,input{font:inherit;color:inherit}
button{cursor:pointer;border:1px solid var(--line);border-radius:8px;background:none;padding:6px 12px;min-height:36px}
button:disabled{opacity:.55;cursor:default}
.icon{border:0;min-width:40px;min-height:40px;padding:0;font-size:20px;line-height:1}
.primary{border:0;background:var(--color);color:var(--on-color);font-weight:600}
:focus-visible{outline:2px solid currentColor;outline-offset:2px}
.thread,.list,.messages{flex:1;min-height:0;display:flex;flex-direction:column}
.messages{position:relative}
.list ul{flex:1;overflow-y:auto;list-style:none;margin:0;padding:0}
.list li button{width:100%;display:grid;grid-template-columns:1fr auto;gap:2px 8px;padding:12px 16px;border:0;border-bottom:1px solid var(--line);border-radius:0;text-align:start}
.list [aria-current]{background:var(--other)}
.list :focus-visible{outline-offset:-3px}
.list>button{margin:12px 16px}
.subject{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.count{min-width:20px;padding:0 5px;border-radius:10px;background:#b3001b;color:#fff;font:600 12px/20px system-ui,sans-serif;text-align:center;justify-self:end}
.log{position:relative;flex:1;min-height:0;overflow-y:auto;padding:16px;display:flex;flex-direction:column;gap:8px;overscroll-behavior:contain}
.log:focus-visible{outline-offset:-3px}
.log>button{align-self:center}
.news{position:absolute;bottom:8px;left:50%;transform:translateX(-50%);background:var(--page);box-shadow:0 1px 6px #0004}
.day{align-self:center}
.day::first-letter{text-transform:uppercase}
.head{display:flex;flex-direction:column;gap:8px}
.team{display:flex;flex-direction:column;align-items:flex-start;gap:4px}
.faces{display:flex;padding-inline-start:8px}
.faces:empty{display:none}
.faces span{width:36px;height:36px;margin-inline-start:-8px;border:2px solid var(--page);border-radius:50%;display:grid;place-items:center;background:var(--color);color:var(--on-color);font-weight:600}
.quiet{margin:0;color:var(--quiet);font-size:13px}
.greeting{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}
.message{max-width:85%;align-self:flex-start;display:flex;flex-direction:column;gap:2px}
.message.own{align-self:flex-end}
.text{padding:8px 12px;border-radius:12px;background:var(--other);white-space:pre-wrap;overflow-wrap:anywhere}
.text ul,.text ol{margin:4px 0;padding-inline-start:20px;white-space:normal}
.text li{white-space:pre-wrap}
.text pre,.text code{font:13px/1.4 ui-monospace,Menlo,Consolas,monospace}
.text pre{margin:4px 0;overflow-x:auto;white-space:pre}
.own .text{background:var(--color);color:var(--on-color)}
.text a{color:inherit;text-decoration:underline}
.own .meta{text-align:end}
.meta{font-size:12px;color:var(--quiet)}
.failure{color:var(--bad)}
.choices{display:flex;flex-wrap:wrap;gap:6px;padding-top:4px}
.choices button{max-width:100%;overflow-wrap:anywhere;text-align:start;border-color:currentColor}
.choices [aria-pressed=true]{opacity:1;background:var(--color);color:var(--on-color)}
.files{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:4px}
.files button{max-width:100%;overflow-wrap:anywhere;text-align:start}
.files li{max-width:100%}
.files .picture{display:block;border:0;padding:0;margin-bottom:4px;max-width:100%;cursor:zoom-in}
.files img{display:block;width:240px;max-width:100%;height:180px;border-radius:12px;background:var(--other);object-fit:scale-down}
.compose .files li{display:flex;align-items:center;gap:6px;overflow-wrap:anywhere}
.compose .files img{width:36px;height:36px;border-radius:6px;object-fit:cover}
.lightbox{width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;background:#000c;color:#fff}
.lightbox[open]{display:flex;flex-direction:column;align-items:flex-end}
.lightbox img{flex:1;min-height:0;width:100%;object-fit:contain}
.notice:empty{display:none}
.notice{margin:0;padding:8px 16px;font-size:13px}
.bad{color:var(--bad)}
form{padding:8px;border-top:1px solid var(--line)}
.compose>div{display:flex;gap:8px;align-items:flex-end}
.compose .files{padding-bottom:6px}
textarea{flex:1;min-width:0;width:100%;min-height:40px;max-height:132px;resize:none;padding:8px 10px;border:1px solid var(--quiet);border-radius:8px;background:var(--page);field-sizing:content}
textarea:focus-visible{outline-offset:0}
textarea::placeholder{color:var(--quiet);opacity:1}
@media (pointer:coarse){textarea,input{font-size:16px}}
input[type=email]{flex:1;min-width:0;min-height:36px;padding:6px 10px;border:1px solid var(--quiet);border-radius:8px;background:var(--page)}
.email{display:flex;flex-wrap:wrap;gap:8px}
.email p{width:100%;margin:0}
fieldset{border:0;margin:0 0 8px;padding:0}
.stars{display:flex;flex-wrap:wrap;gap:4px 12px}
.stars label{display:flex;gap:4px;align-items:center;min-height:28px}
@media (forced-colors:active){header,.text,.faces span,.picture{border:1px solid CanvasText}.own .text,.list [aria-current]{border:3px solid Highlight}.count{border:1px solid}.primary{border:1px solid ButtonText}}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`
