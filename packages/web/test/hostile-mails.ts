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
};
