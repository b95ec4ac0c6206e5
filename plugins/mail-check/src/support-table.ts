// The data of caniemail.com, from the npm package caniemail 2.0.2. The history holds what wrote it: tools/mail-support.js.

/** The day of the data. */
export const DATA_DATE = '2026-05-13';

/** The email clients that features were tested in. */
export const CLIENTS = `
AOL (Android)
AOL (Desktop Webmail)
AOL (iOS)
Apple Mail (iOS)
Apple Mail (macOS)
Fastmail (Desktop Webmail)
Free.fr (Desktop Webmail)
Gmail (Android)
Gmail (Desktop Webmail)
Gmail (iOS)
Gmail (Mobile Webmail)
GMX (Android)
GMX (Desktop Webmail)
GMX (iOS)
HEY (Desktop Webmail)
1&1 (Android)
1&1 (Desktop Webmail)
LaPoste.net (Android)
LaPoste.net (Desktop Webmail)
LaPoste.net (iOS)
Mail.ru (Desktop Webmail)
Orange (Android)
Orange (Desktop Webmail)
Orange (iOS)
Outlook (Android)
Outlook (iOS)
Outlook (macOS)
Outlook (Outlook.com)
Outlook (Windows)
Outlook (Windows Mail)
ProtonMail (Android)
ProtonMail (Desktop Webmail)
ProtonMail (iOS)
RainLoop (Desktop Webmail)
Samsung Email (Android)
SFR (Android)
SFR (Desktop Webmail)
SFR (iOS)
T-online.de (Desktop Webmail)
Mozilla Thunderbird (macOS)
Mozilla Thunderbird (Windows)
WEB.DE (Android)
WEB.DE (Desktop Webmail)
WEB.DE (iOS)
WP.pl (Desktop Webmail)
Yahoo! Mail (Android)
Yahoo! Mail (Desktop Webmail)
Yahoo! Mail (iOS)
`;

/**
 * A feature a line: how its uses are found, its page, its name, and for each email client a letter. It supports the
 * feature (y), a part of it (a), none of it (n), or is unknown (u).
 */
export const FEATURES = `
property:accent-color|css-accent-color|accent-color|nnnyynunnnnuuuyuuuuuynnnnnnnnnnnnuynynuuuuuuunnn
property:align-items|css-align-items|align-items|nnnyyyunnnnynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
property:animation|css-animation|animation|nnnyyyunnnnynyyyauaunnnnnnnnnnnnnuynanunuynyunnn
property:aspect-ratio|css-aspect-ratio|aspect-ratio|nnnyynunnnnynyyyyuyuynnnnnnnnnyyyunyyyunuynyunnn
at:font-face|css-at-font-face|@font-face|nnnyynunnnnnnyynyununnnnnnnnanynnuynnnuyunnyunnn
at:import|css-at-import|@import|nnnyynunnnnnnyynyununnnnnnnnyyynnunnnnununnynnnn
at:keyframes|css-at-keyframes|@keyframes|nynyyyunnnnynyyyaununnnnnnnnnnnnnuynnnuyuynyunyn
media:-webkit-device-pixel-ratio media:-webkit-min-device-pixel-ratio|css-at-media-device-pixel-ratio|@media (-webkit-device-pixel-ratio)|nnnyyyunnnnynyyyyununyyyyyyynnynnuynnnunuynyunnn
media:hover media:any-hover|css-at-media-hover|@media (hover), @media (any-hover)|nnnyyuunnnnuuuuuuununuuuyyyynnyyyuynnnuuuuuuunnn
media:orientation|css-at-media-orientation|@media (orientation)|nnnayyuyynnyyyyyyunuyyyyyyyynnnnnuynnnunuyyyunnn
media:prefers-color-scheme|css-at-media-prefers-color-scheme|@media (prefers-color-scheme)|nnnyyyynnnnynynyyununyyyyyyynnnnnuynnnnnuynyunnn
media:prefers-reduced-motion|css-at-media-prefers-reduced-motion|@media (prefers-reduced-motion)|nnnyynunnnnynyyyyununyyyyyyynnaaauynynunuynyunnn
at:media|css-at-media|@media|aaayyyuaaanyyyyyyunuayyyaaaannyaauannnunuyyyuaaa
at:supports|css-at-supports|@supports|yyyyynunnnnynyyyyununyyynnnnnnynnuynnnunuynyuyyy
property:backdrop-filter|css-backdrop-filter|backdrop-filter|nnnyyuunnnnunuuuuuuuyuunnnynnnyyyuyyyyuuuunuunnn
property:background-blend-mode|css-background-blend-mode|background-blend-mode|nnnyyyuayanynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
property:background-clip|css-background-clip|background-clip|nnnyyyuayanynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
property:background-color|css-background-color|background-color|yyyyyyuyyyyyayyyyuyuyaaayyyyyyyyyuyyyyuyuyayuyyy
property:background-image|css-background-image|background-image|aaayyynyyyyyayyyyuyuyyyyyyyynnyyyuyyyynyuyayuaaa
property:background-origin|css-background-origin|background-origin|nnnyyyuayanynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
property:background-position|css-background-position|background-position|yyyyyyuyyyyyayyyyuyuyyyyyyyynnyyyuyyyyuyuyayuyyy
property:background-repeat|css-background-repeat|background-repeat|yyyyyyuyyyyyayyyyuyuyyyyyyyynnyyyuyyyyuyuyayuyyy
property:background-size|css-background-size|background-size|yyyyyyuayanynyyyyuyuynnnyyyynnyyyuyyyyuyuynyuyyy
property:background|css-background|background|aaayyyuyyyyyayyyyuyuyaaayyyyaayyyuyyyyuyuyayuaaa
property:block-size|css-block-inline-size|block-size & inline-size|nnnyyyunnnnynyyyyuyuyunnnnnnnnyyyuyuyyuyuynyunnn
property:border-collapse|css-border-collapse|border-collapse|yyyyyuuyyyyuyuuuuuuuyuuuyyyyyyyyyuyyyyuyuuyuuyyy
property:border-image|css-border-image|border-image|nnnyyyunnnnynyyyyuyuynnnnnnnnnyyyuyyyyuyuynyunnn
property:border-inline-start property:border-inline-end property:border-block-start property:border-block-end|css-border-inline-block-individual|border-inline & border-block individual logical properties|nnnyauunnnnynyuyyuuuyuuunnnnnnyyyuayyyuuuynyunnn
property:border-inline-width property:border-inline-style property:border-inline-color property:border-block-width property:border-block-style property:border-block-color|css-border-inline-block-longhand|border-inline & border-block longhand properties|nnnyyuunnnnynyuyyuuuyuuunnnnnnyyyuyyyyuuuynyunnn
property:border-inline property:border-block|css-border-inline-block|border-inline & border-block|nnnynuunnnnynyuyyuuuyuuunnnnnnyyyunyyyuuuynyunnn
property:border-start-start-radius property:border-start-end-radius property:border-end-start-radius property:border-end-end-radius|css-border-radius-logical|border-radius logical properties|nnnynuunnnnuuuuuuuuuyuuunnnnnnyyyunyyyuuuuuuunnn
property:border-radius|css-border-radius|border-radius|aaayyyuyyyyynyyyyuyuynnnyyyynnyyyuyyyyuyuynyuaaa
property:border-spacing|css-border-spacing|border-spacing|yyyyyuuyyyyuyuuuuuuuyuuuyynynnyyyuyyyyuyuuyuuyyy
property:border|css-border|border|yyyyyyuyyyyyyyyyyuyuyyyyyyyyaayyyuyyyyuyuyyyuyyy
property:box-shadow|css-box-shadow|box-shadow|nnnyyyuananynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
property:box-sizing|css-box-sizing|box-sizing|nnnyyyuyyynyyyyyyuyuynnnyyyynnyyyuyyyyuyuyyyunnn
property:caption-side|css-caption-side|caption-side|yyyyyyuyyyyyyyyyyuyuyyyyyyyynnyyyuyyyyuyuyyyuyyy
property:clear|css-clear|clear|aaayyuuayyuuauuuuuuuyuuuayuynnyyyuyuuuuuuuauuaaa
property:clip-path|css-clip-path|clip-path|nnnyyyunnnnynyyyyuyuannnnnnnnnyyyuyyyyuyuynyunnn
property:color-scheme|css-color-scheme|color-scheme CSS property|nnnyynunnnnununuuuuunuuunnnnnunynuyyannyuunuunnn
property:column-count|css-column-count|column-count|nnnyyyuyyynynyyyyuyuyyyyyyyynnyyyuyyyyuyuynyunnn
property:columns property:column-width property:column-rule property:column-span property:column-fill|css-column-layout-properties|css column properties|nnnyyyuyyyyuuuyuuuuuyuuuyyyynnyyyuyyyyuyuuuuunnn
function:conic-gradient|css-conic-gradient|conic-gradient()|nnnyyynnnnnuuuyuuuyuynnnnnnnnnyyyuayyyyyuuuuunnn
property:cursor|css-cursor|cursor|uuunauunnnnyanuuuuuuuuuunnnnuuuauuuuuuuyuuuuuaan
property:direction|css-direction|direction|yyyyyyuyyyayyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
display:flex display:inline-flex|css-display-flex|display:flex|yyyyyyuayayynyyyyuyuynnnyyyynnyyyuyyyyuyuynyuyyy
display:grid display:inline-grid|css-display-grid|display:grid|yyyyyyuayayynyyyyuyuynnnyyyynnyyyuyyyyuyuynyuyyy
display:none|css-display-none|display:none|yyyyyyuyyynyyyyyyuyuyyyyyyyyaayyyuyyyyuyuyyyuyyy
property:display|css-display|display|aaayyauayayyayyyyuyuyaaayyyyaayyyuyyyyuyuyayuaaa
property:empty-cells|css-empty-cells|empty-cells|nynyyuuyyyuuuuuuuuuunuuuyyyynnyyyuyuuuuuuuuuunyn
property:filter|css-filter|filter|nnnyynunnnnynyyyyuyuannnnnnnnnyyyuyyyyuyuynyunnn
property:flex-direction|css-flex-direction|flex-direction:column|nnnyyyunnnnynyyyyuyuynnnnyyynnyyyuyyyyuyuynyunnn
property:flex-wrap|css-flex-wrap|flex-wrap: wrap|nnnyyyunnnnynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
property:float|css-float|float|aaayyyuayayyayyyyuyuyyyyyyyynnyyyuyyyyuyuyayuaaa
property:font-kerning|css-font-kerning|font-kerning|unuyyuyyyyyunuuuuuuunuuuyyyynuyyyuyuyunyuuuuunnn
property:font-size-adjust|css-font-size-adjust|font-size-adjust|uuuyyuuayayyayuuuuuuyuuuyyyynnyyyuuuuuuyuuauuaaa
property:font-size|css-font-size|font-size|aaayyuuyyyyuauuuuuuuyuuuyyyyaayyyuauuuuyuuauuaaa
property:font-stretch|css-font-stretch|font-stretch|unnyyuunyyyuuuuuuuuuyuuunyyynuuyyunnyyuyuuuuunnn
property:font-weight|css-font-weight|font-weight|aaayyyuyyyyyyyyyyuyuyyayyyyyaayyyuyyyyuyuyyyuaaa
property:font|css-font|font shorthand|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
function:clamp|css-function-clamp|clamp()|nnnyynuayayynyyyyuyuynnnnnnnnnyyyuayyyuyuynyunnn
function:light-dark|css-function-light-dark|light-dark()|unnyyunnnnnunuauuuauaunnunnnnnuayuauaaayuuuuuunn
function:max|css-function-max|max()|nnnyynuayayynyyyyuyuynnnnnnnnnyyyuayyyuyuynyunnn
function:min|css-function-min|min()|nnnyynuayayynyyyyuyuynnnnnnnnnyyyuayyyuyuynyunnn
property:gap property:column-gap property:row-gap|css-gap|gap, column-gap, row-gap|nnnyyayaaanunuyuuuyuynnnaaaannyyyuyyyyyyuuuuunnn
property:grid-template property:grid-template-columns property:grid-template-rows property:grid-template-areas|css-grid-template|grid-template-* properties|nnnyynynnnnunuyuuuyuynnnnnnnnnyyyuyyyyyyuuuuunnn
property:height|css-height|height property|nnnyyyuyyyyyyyyyyuyuyyyyyyyyayyyyuyyyyuyuyyyunnn
property:hyphenate-character|css-hyphenate-character|hyphenate-character|nnnyyuunnnnunuuuuuuuauuunnnnnnyyyuyuuuuuuunuunnn
property:hyphenate-limit-chars|css-hyphenate-limit-chars|hyphenate-limit-chars|nnnnnuunnnnunuuuuuuuyuuunnnnnnuuuunuuuunuunuunnn
property:hyphens|css-hyphens|hyphens|unuyyuunnnuuuuuuuuuuyuuunnnnnnuuuuyyyyuuuuuuunnn
important:|css-important|!important keyword|aaayyyuaaaaynyyyyuyuynnnyyyyaaaaauyayauyuynynaaa
property:inert-attribute|css-inert-attribute|inert|nnnyyuunnnnuuuuuuuuuuuuunnnnnnuuuuyuuuuuuuuuunnn
property:inline-size|css-inline-size|inline-size|nnnnnnunnnnynyyyyuyuyynynnnnnnyyyuyyyyuyuynyunnn
property:inset|css-inset|inset|nnnyyuunnnnunuuuuuuunuuunnnnnnuuuunuuuuyuunuunnn
keyword:fit-content keyword:min-content keyword:max-content|css-intrinsic-size|fit-content, min-content, max-content|nnnyyyuyyayuuuyuuuyuynnnaayynnyyyunyyyuyuuuuunnn
property:justify-content|css-justify-content|justify-content|nnnyyyunnnnynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
property:left property:right property:top property:bottom|css-left-right-top-bottom|left, right, top, bottom|nnnyyyunnnnyyyyyyuyuayyyyyyynnyyyuayyyuyuyyyunnn
property:letter-spacing|css-letter-spacing|letter-spacing|yyyyyyuyyyyyyyyyyuyuyyyyyyyyaayyyuyyyyuyuyyyuyyy
property:line-height|css-line-height|line-height|yyyyyyuyyyyyyyyyyuyuyayayyyyaayyyuyyyyuyuyyyuyyy
function:linear-gradient|css-linear-gradient|linear-gradient()|nnnyyyyayyyynyyyyuyuynnnnnnnnnyyyuayyyyyuynyunnn
property:list-style-image|css-list-style-image|list-style-image|nnnyyyunnnnyyyyyyuyuyynynnnnnnnnyuyyyyuyuyyyunnn
property:list-style-position|css-list-style-position|list-style-position|yyyyyyuyyyyyyyyyyuyuyyyyyyyynnyyyuyyyyuyuyyyuyyy
property:list-style-type|css-list-style-type|list-style-type|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
property:list-style|css-list-style|list-style|aaayyyuaaaayyyyyyuyuyyyyyyayaanayuyyyyuyuyyyuaaa
property:margin-block-start property:margin-block-end|css-margin-block-start-end|margin-block-start & margin-block-end|nnnnyuunnnnynyuyyuuuyuuunnnnnnyyyuyuuuuuuynyunnn
property:margin-inline property:margin-block|css-margin-inline-block|margin-inline & margin-block|nnnnyyunnnnynyyyyuyuyyyynnnnnnyyyunyyyuyuynyunnn
property:margin-inline-start property:margin-inline-end|css-margin-inline-start-end|margin-inline-start & margin-inline-end|nnnnyuunnnnynyuyyuuuyuuunnnnnnyyyuyuuuuuuynyunnn
property:margin|css-margin|margin|aaayyyuaaaayyyyyyuyuayyyaaaaaayyyuyyyyuyuyyyuaaa
property:mask-image|css-mask-image|mask-image|nnnyyuunnnnunuuuuuuuyuuunnynnnuuuuyuuuuuuunuunnn
property:max-block-size|css-max-block-size|max-block-size|unuyyuunnnuuuuuuuuuuyuuunynnnnyyyuyuuuuuuuuuunnn
property:max-height|css-max-height|max-height property|yyyyyyuyyyyyyyyyyuyuyyyyyyyynnyyyuyyyyuyuyyyuyyy
property:max-inline-size|css-max-inline-size|max-inline-size|nnnyyuunnnnunuuuuuuuyuuunnnnnnyyyuyuuuuuuunuunnn
property:max-width|css-max-width|max-width|yyyyyyuyyyyyyyyyyuyuyyyyyyyyaayyyuyyyyuyuyyyuyyy
property:min-block-size|css-min-block-size|min-block-size|nnnyyuunnnnunuuuuuuuyuuunnnnnnyyyuyuuuuuuunuunnn
property:min-height|css-min-height|min-height property|yyyyyyuyyyyyyyyyyuyuyyyyyyyynnyynuyyynuyuyyyuyyy
property:min-inline-size|css-min-inline-size|min-inline-size|unuyyuunnnnuuuuuuuuuyuuunynnnnyyyuyuuuuuuuuuunnn
property:min-width|css-min-width|min-width property|yyyyyyuyyyyyyyyyyuyuyyyyyyyynnyyyuyyyyuyuyyyuyyy
property:mix-blend-mode|css-mix-blend-mode|mix-blend-mode|nnnyynuayanynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
function:lch function:oklch function:lab function:oklab|css-modern-color|lch(), oklch(), lab(), oklab()|nnnyyyunnnnuuuyuuuuuyuuunnnnnunyyunuuuunuuuuunnn
property:object-fit|css-object-fit|object-fit|nnnyyyuayanynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
property:object-position|css-object-position|object-position|nnnyyyuayanynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
property:opacity|css-opacity|opacity|nnnyyyuyyynynyyyyuyunnnnyyyynnyyyuyyyyuyuynyuyyy
property:orphans|css-orphans|orphans|nnnyyuunnnnunuuuuuuuyuuuyyyynnyyyuyuuuuuuunuunnn
property:outline-offset|css-outline-offset|outline-offset|nnnyyyynnnnunuyuuuyuynnnnnnnnnyyyuyyyyyyuuuuunnn
property:outline|css-outline|outline|yyyyyyyyyyyyyyyyyuyuynnnyyyynnyyyuyyyyyyuyyyuyyy
property:overflow-wrap|css-overflow-wrap|overflow-wrap|unuaauunnnuuuuuuuuuuyuuunnnnnnuuuuyuuuuuuuuuunnn
property:overflow|css-overflow|overflow|aaaaayuaaaaaaayyyuyuayayaaaannaaauayyyuyuaaauaaa
property:padding-block-start property:padding-block-end|css-padding-block-start-end|padding-block-start & padding-block-end|nnnnyuunnnnynyuyyuuuyuuunnnnnnyyyuyuuuuuuynyunnn
property:padding-inline property:padding-block|css-padding-inline-block|padding-inline & padding-block|nnnnyuunnnnynyuyyuuuyuuunnnnnnyyyunuuuuuuynyunnn
property:padding-inline-start property:padding-inline-end|css-padding-inline-start-end|padding-inline-start & padding-inline-end|nnnnyuunnnnynyuyyuuuyuuunnnnnnyyyuyuuuuuuynyunnn
property:padding|css-padding|padding|yyyyyyuyyyyyyyyyyuyuyyyyyyyyaayyyuyyyyuyuyyyuyyy
property:position|css-position|position|aaaaaaunnnnyyyayyuaunaaaanaannyyyuaaaauyuyyyuaaa
pseudo:active|css-pseudo-class-active|:active|yynnnyunnnnyyyyyyununyynynaannyyyunnnnuyuyyyuyyy
pseudo:checked|css-pseudo-class-checked|:checked|yyyyyyunnnnnnynnnununnnnaaaannnnnuynnnuyunnyuyyy
pseudo:default|css-pseudo-class-default|:default|yyyyyuunnnnnnyuuuuuuyuuuyyyannnnnuuuuunyuunuuyyy
pseudo:first-child|css-pseudo-class-first-child|:first-child|yyyyyyunnnnyyyyyyununyyyyyaannynnuynnnuyuyyyuyyy
pseudo:first-of-type|css-pseudo-class-first-of-type|:first-of-type|yyyyyyunnnnynyyyyununyyyyyaannynnuynnnuyuynyuyyy
pseudo:focus-visible|css-pseudo-class-focus-visible|:focus-visible|yyuuyuunnnnuuuuuuuuuuuuuauaanuuuuuyuuuuuuuuuuyyu
pseudo:focus-within|css-pseudo-class-focus-within|:focus-within|yyuuyuunnnnuuuuuuuuuuuuuauannuuuuuyuuuuuuuuuuyyu
pseudo:focus|css-pseudo-class-focus|:focus|yynnnyunnnnnyyynyununyynynaannyyyuynnnuyunyyuyyy
pseudo:has|css-pseudo-class-has|:has()|nnnyyyunnnnynyyyyununnynnnnnnnnyyuynnnunuynyunnn
pseudo:hover|css-pseudo-class-hover|:hover|yynyyyuaynnynyyyyununyyyynaannyyyuynnnuyuynyuyyy
pseudo:lang|css-pseudo-class-lang|lang()|nnnyyuunnnnuuuuuuununuuuyynnnnyyyuyunuuuuuuuunnn
pseudo:last-child|css-pseudo-class-last-child|:last-child|yyyyyyunnnnyyyyyyununyyyyyaannynnuynnnuyuyyyuyyy
pseudo:last-of-type|css-pseudo-class-last-of-type|:last-of-type|yyyyyyunnnnynyyyyununyyyyyaannynnuynnnuyuynyuyyy
pseudo:link|css-pseudo-class-link|:link|yyyyyyunnnnyyyyyyununyyyyyaayyynnuynnnuyuyyyuyyy
pseudo:not|css-pseudo-class-not|:not|nnnyyyunnnnynyyyyununyyynnnnnnynnuynnnuyuynyunnn
pseudo:nth-child|css-pseudo-class-nth-child|:nth-child|nnnyyyunnnnynyyyyununyyynnnnnnynnuynnnuyuynyunnn
pseudo:nth-last-child|css-pseudo-class-nth-last-child|:nth-last-child|nnnyyyunnnnynyyyyununyyynnnnnnynnuynnnuyuynyunnn
pseudo:nth-last-of-type|css-pseudo-class-nth-last-of-type|:nth-last-of-type|nnnyyyunnnnynyyyyununyyynnnnnnnnnuynnnuyuynyunnn
pseudo:nth-of-type|css-pseudo-class-nth-of-type|:nth-of-type|nnnyyyunnnnynyyyyununyyynnnnnnnnnuynnnuyuynyunnn
pseudo:only-child|css-pseudo-class-only-child|:only-child|yyyyyyunnnnyyyyyyununyyyyyaannynnuynnnuyuyyyuyyy
pseudo:only-of-type|css-pseudo-class-only-of-type|:only-of-type|yyyyyyunnnnyyyyyyununyyyyyaannynnuynnnuyuyyyuyyy
pseudo:target|css-pseudo-class-target|:target|yynnnnunnnnnyynnnununynnyyaannynnuynnnuyunyyuyyy
pseudo:visited|css-pseudo-class-visited|:visited|yynnnyunnnnnynynyununnynyyaannnnnunnnnuyunynuyyy
pseudo:after|css-pseudo-element-after|::after|nnnyyyunnnnynyyyyununnnnnaaannynnuynnnuyuynyunnn
pseudo:before|css-pseudo-element-before|::before|nnnyyyunnnnynyyyyununnnnnaaannynnuynnnuyuynyunnn
pseudo:first-letter|css-pseudo-element-first-letter|::first-letter|yyyyyyunnnnyyyyyyununnyynaaannynnuynnnuyuyyyuyyy
pseudo:first-line|css-pseudo-element-first-line|::first-line|yyyyyyunnnnyyyyyyununnyynaaannynnuynnnuyuyyyuyyy
pseudo:marker|css-pseudo-element-marker|::marker|yyyyyyunnnnuuuyuuununnyynnnnnnnyyuynnnuyuuuuuyyy
pseudo:placeholder|css-pseudo-element-placeholder|::placeholder|yyyyyyunnnnnnynnnununnnnnaaannnnnuynnnuyunnyuyyy
function:radial-gradient|css-radial-gradient|radial-gradient()|nnnyyyyayyyynyyyyuyuyyyynnnnnnyyyuyyyyyyuynyunnn
property:resize|css-resize|resize|nnnnauunnnuunnuuuuuuyuunnnnnnnuunuyuunuuuunnunnn
function:rgb|css-rgb|rgb()|aaayyyuaaaayayyyyuyuyaaayyyyaayyyuyyyyuyuyayuaaa
function:rgba|css-rgba|rgba()|aaayyyuaaaaynyyyyuyuynnnyyyynnyyyuyyyyuyuynyuaaa
property:scroll-snap-type|css-scroll-snap|scroll-snap|nnnyynunnnnuuuyuuuyuynnnnnnnnnyyyuyyyyuyuuuuunnn
combinator:+|css-selector-adjacent-sibling|Adjacent sibling combinator|yyyyyyuayanyayyyyuyuyyyyyyyynnynnuynynuyuyayuyyy
combinator:[|css-selector-attribute|Attribute selector|aaayyyuaaanynyyynuyuayyyaaaannnnnuynynuyuynyuaaa
combinator:>|css-selector-child|Child combinator|yyyyyyuayanynyyyyuyuyynyyyyynnynnuynynuyuynyuyyy
combinator:~|css-selector-general-sibling|General sibling combinator|yyyyyyuayanynyyyyuyuyyyyyyyynnynnuynynuyuynyuyyy
combinator:*|css-selector-universal|Universal selector *|yyyyyyuayanyyyyyyuyunyyyyyyynnynnuynynuyuyyyuyyy
property:shape-margin|css-shape-margin|shape-margin|nnnyyuunnnnuuuuuuuuuyuuunnynnnuuuuyuuuuyuuuuunnn
property:shape-outside|css-shape-outside|shape-outside|nnnyyuunnnnuuuuuuuuuyuuunnynnnuuuuyuuuuyuuuuunnn
property:tab-size|css-tab-size|tab-size|unuyyuunnnunnyunyuuunuuunyyynnyyyuyuuuuuunnyunnn
property:table-layout|css-table-layout|table-layout|uyuyyuuyyyuuuuuuuuuuyuuuyynynnyyyuyuuuuuuuuuuyyy
property:text-align-last|css-text-align-last|text-align-last|unuyyuyyyyyuuuuuuuuuyuuunnnnnuyyyuyuuuyuuuuuunnn
property:text-align|css-text-align|text-align|aaayyyuayyayayyyyuyuyaaaayyyaayyyuayyyuyuyayuaaa
property:text-decoration-color|css-text-decoration-color|text-decoration-color|yyyyyyuayanynyyyyuyuyynyyyyynnyyyuyyyyuyuynyuyyy
property:text-decoration-line|css-text-decoration-line|text-decoration-line|nyyyyuuyyyyunuuuuuuuyuuuyyyynnyyyuyuuuuyuunuuyyy
property:text-decoration-skip-ink|css-text-decoration-skip-ink|text-decoration-skip-ink|nnnyyyunnnnunuyuuuyuyunnnnnnnnyyyuyuyuuyuunuunnn
property:text-decoration-style|css-text-decoration-style|text-decoration-style|nyyyyuuyyyyunuuuuuuuyuuuyyyynnyyyuyuuuuyuunuuyyy
property:text-decoration-thickness|css-text-decoration-thickness|text-decoration-thickness|nnnyyyunnnnynyyyyuyuynnynnnnnnyyyunnyyuyuynyunnn
property:text-decoration|css-text-decoration|text-decoration|yyyyyyuayayyaayyyuyuyyynyyyyaayynuyyynuyuyaauyyy
property:text-emphasis-position|css-text-emphasis-position|text-emphasis-position|nnnyyuunnnnynyuyyuuuyuuunnynnnyyyunuuuuuuynyunnn
property:text-emphasis|css-text-emphasis|text-emphasis|nnnyyuunyynynyuyyuuuyuuunyyynnyyyunuuuuuuynyunnn
property:text-indent|css-text-indent|text-indent|aaayyyuaaaayyyyyyuyuayyyyyyyyyyayuyyyyuyuyyyuaaa
property:text-justify|css-text-justify|text-justify|nnnnnuunanauauuuuuuuauuunnnaanyanunuuuuuuunuunan
property:text-orientation|css-text-orientation|text-orientation|nnnyyuuyyyyunuuuuuuuyuuuyyyynnyyyuyuuuuyuunuunnn
property:text-overflow|css-text-overflow|text-overflow|nnnyyyuayayynyyyyuyuyynyyyyynnyyyunyyyuyuynyunnn
property:text-shadow|css-text-shadow|text-shadow|yyyyyyunnnnyyyyyyuyuyyyynnnnnnyyyuyyyyuyuyyyuyyy
property:text-transform|css-text-transform|text-transform|yyyyyyuyyyyyyyyyyuyuyyyyyyyyaayyyuyyyyuyuyyyuyyy
property:text-underline-offset|css-text-underline-offset|text-underline-offset|nnnyyyunnnnynyyyyuyuynnynnnnnnyyyuynyyuyuynyunnn
property:text-underline-position|css-text-underline-position|text-underline-position|nnnaauuyyayunuuuuuuuyuuuyanynnyyyuyuuuuyuunuunnn
property:text-wrap|css-text-wrap|text-wrap|nnnyyuunnnnunuuuuuuuyuuunnnnnnyyyuyuuuuuuunuunnn
property:transform|css-transform|transform|nnnyyyunnnnynyyyyuyunnnnnnnnnnyyyuyyyyuyuynyunnn
property:transition|css-transition|transition|aaayyyynnnnuuuauuuyuynnnnnnnnnuynuanynuyuuuuuaaa
function:calc|css-unit-calc|CSS calc() function|nnnyyyuayayynyyyyuyuynnnnnnnnnyyyuyyyyuyyynyunnn
unit:ch|css-unit-ch|ch unit|nnnyyyuyyyyynyyyyuyuynnnyyyynnyyyuyyyyuyyynyunnn
unit:cm|css-unit-cm|cm unit|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
unit:em|css-unit-em|em unit|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
unit:ex|css-unit-ex|ex unit|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
unit:in|css-unit-in|in unit|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
unit:mm|css-unit-mm|mm unit|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
unit:pc|css-unit-pc|pc unit|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
unit:%|css-unit-percent|% unit|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
unit:pt|css-unit-pt|pt unit|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
unit:px|css-unit-px|px unit|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
unit:rem|css-unit-rem|rem unit|nnnyyyuyyyyynyyyyuyuynnnyyyynnyyyuyyyyuyyynyunnn
unit:vh|css-unit-vh|vh unit|yyyaynuyyyyanyyyyuyuynnnyyyynnyyyuynyyuyyanyuyyy
unit:vmax|css-unit-vmax|vmax unit|nnnyyyuyyyyanyyyyuyuynnnyyyynnyyyuyyyyuyyanyunnn
unit:vmin|css-unit-vmin|vmin unit|nnnyyyuyyyyanyyyyuyuynnnyyyynnyyyuynyyuyyanyunnn
unit:vw|css-unit-vw|vw unit|yyyyynuyyyyynyyyyuyuynnnyyyynnyyyuyyyyuyyynyuyyy
property:user-select|css-user-select|user-select|nnnayuunnnuunuuuuuuuyuuunnnnnnaaauyuuuuuuunnunnn
function:var|css-variables|CSS Variables (Custom Properties)|nnnyynunnnnynyyyyuyunnnnnnnnnnyyyuyyyyuyyynyunnn
property:vertical-align|css-vertical-align|vertical-align|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
property:visibility|css-visibility|visibility|ynyyyyunnnnyyyyyyuyuynnnyyyynnyyyuyyyyuyuyyyuyyy
property:white-space-collapse|css-white-space-collapse|white-space-collapse|nnnyyuunnnnuuuuuuuuuyuuunnnnnnyyyuyuuuuuuuuuunnn
property:white-space|css-white-space|white-space|yyyyyyuayayayyyayuyuyyyyyyyynnyyyunayyuyuayyuaya
property:widows|css-widows|widows|nnnyyuunnnnunuuuuuuuyuuuyyyynnyyyuyuuuuuuunuunnn
property:width|css-width|width property|yyyyyyuyyyyyyyyyyuauyyyyyyyyayyyyuyyyyuyuyyyuyyy
property:word-break|css-word-break|word-break|nnnaayuayaannyanyuyuynanaaaaynayauayyyuyunnyunnn
property:word-spacing|css-word-spacing|word-spacing|naayyuuyyyyuauuuuuuuyuuuyyyynnyyyuyuuuuyuuauuaaa
property:word-wrap|css-word-wrap|word-wrap|uuuyyuuaauuuuuuuuuuuuuuunyuynnuuuuuuuuuuuuuuuuyu
property:writing-mode|css-writing-mode|writing-mode|nnnyynuayayynyyyyuyuynnnyyyynnyyyuyyyyuyuynyunnn
property:z-index|css-z-index|z-index|yyyyyyunnnnyyyyyyuyunyyyyyyynnyyyuyyyyuyuyyyuyyy
element:abbr|html-abbr|<abbr> element|nnnyyyyyyyyuyunuuuyununnyyyynnuyyuyuyyyyuuyuunnn
element:acronym|html-acronym|<acronym> element|nnnyyuuyyyyuyuuuuuuunuuuyyyynnyyyuyyyyyyuuyuunnn
element:address|html-address|address|yyyyyyuyyyynyyynnuyuynnnyyyyyyyyyuyyyyuyunyyuyyy
attribute:align|html-align|align attribute|yyyyyyuyyyyyyyayyuyuyyyyyyayyyyayuyyyyuyuyyyuyyy
attribute:aria-describedby|html-aria-describedby|aria-describedby attribute|nnnyynunnnnnnynnyuyunnnnyyyynnyyyuyyyyununnyunnn
attribute:aria-hidden|html-aria-hidden|aria-hidden attribute|nnnyyyuyyyynnynnyuyuynnnyyyyynyyyuyyyyununnyunnn
attribute:aria-label|html-aria-label|aria-label attribute|nnnyyyuyyyynnynnyuyuynnnyyyyynyyyuyyyyununnyunnn
attribute:aria-labelledby|html-aria-labelledby|aria-labelledby attribute|nnnyynunnnnnnynnyuyuynnnyyynnnyyyuyyyyununnyunnn
attribute:aria-live|html-aria-live|aria-live attribute|nnnyyyuyyyynnynnyuyuynnnnnnnanyyyuyyyyununnyunnn
element:audio|html-audio|<audio> element|nnnyynunnnnnnnnynununnnnnnnnnnnnnuyyyyuyynnnunnn
attribute:background|html-background|background attribute|yyyyyyyayayyyynyyuyuyyyyyyyyanyyyuyyyyyyuyyyuyyy
element:base|html-base|<base>|aaayyauaaaannyanyununnnnnaaaynnanuynnnuyunnyuaaa
element:bdi|html-bdi|<bdi> element|nnnyyyunnnnnnynnnuyunnnnnnnnnnyyyuyyyyuyunnyunnn
element:blockquote|html-blockquote|<blockquote> element|yyyyyyuyyyyyyyayyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
attribute:cellpadding|html-cellpadding|cellpadding attribute|yyyyyuuyyyyuyuuuuuuuyuuuyyyyyyyyyuyuuuuyuuyuuyyy
attribute:cellspacing|html-cellspacing|cellspacing attribute|yyyyyuuyyyyuyuuuuuuuyuuuyyyyyyyyyuyuuuuyuuyuuyyy
element:code|html-code|<code> element|yyyyyyyyyyyuyuyuuuyuynnnyyyyyyyyyuyyyyyyuuuuuyyy
element:del|html-del|<del> element|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
element:dfn|html-dfn|<dfn> element|yyyyyuuyyyyuyuuuuuuunuuuyyyyaayyyuyyyynyuuyuuyyy
element:dialog|html-dialog|<dialog> element|nnnyynuynnnnnynnnuyunnnnnnnnnnynnuyyyyuyunnyunnn
attribute:dir|html-dir|dir attribute|yyyyyyuyyyaynyyyyuyuyaaayyyyaayyyuyyyyuyuynyuyyy
element:div|html-div|<div> element|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
element:form|html-form|<form> element|yyyyynuyyaynnynnnununnnnyyaannnnnuyynyuyunnyuyyn
element:h1 element:h2 element:h3 element:h4 element:h5 element:h6|html-h1-h6|<h1> to <h6> elements|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
attribute:height|html-height|height attribute|yyyyyyuyyyyyyynyyuyuyyyyyyyyayyyyuyyyyuyuyyyuyyy
attribute:hidden|html-hidden|hidden attribute|unuyyuunnnnunuuuuuuuauuunnnnnnyyyuyyyyuyuunuunnn
element:hr|html-hr|<hr> element|yyyyyuuyyyyuuuuuuuuuyuuuyyyyyyyyyuyyyyuyuuuuuyyy
element:map|html-image-maps|Image maps|nynyyyuyyyyyyynyyuyuyyyyyyyyynnyyuyyyyuyuyyyunyy
element:img|html-img|<img> element|yyyyyyyyyyyuuuyuuuyuyuyyyyyyyyuyyuyuyyuuuuuuuyyy
attribute:lang|html-lang|lang attribute|yayyyyuyyyynnynnnuyuyynyyyyyyyyyyuyyyyuyunnyuaaa
element:link|html-link|<link> element|nnnyynunnnnnnynnnununnnnnnnnyynnnunnnnununnynnnn
element:ul element:ol element:dl|html-lists|<ul>, <ol> and <dl>|aaayyyuaaaayyyyyyuyuayyyaaaaaayyyuyyyyuyuyyyuaaa
attribute:loading|html-loading-attribute|loading attribute|nnnyynunnnnnnyannuyuynnnnnnnnnnynuynynuyunnyunnn
element:marquee|html-marquee|<marquee> element|yayyynunnnnnnynnnuaunynyyyaannyayuyyyyuyynnyuyay
element:meter|html-meter|<meter> element|nnnyyyuannnnnynnnuyunnnnyyyynnyyyuyyyyuyunnyunnn
element:object|html-object|<object> element|nnnyanunnnnnnannnununnnnnnnnnnnnnuannnuaunnaunnn
element:p|html-p|<p> element|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
element:picture|html-picture|<picture> element|nnnyanunnnnnnynnnuyunnnnnnnnnnnnnuyyyyuyunnyunnn
attribute:popover|html-popover|popover attribute|unnyynunnnnuuunuuuuuauuunnnnnnunnuayynunuuuuunnn
element:pre|html-pre|<pre> element|yyyyyyyyyyyuyuyuuuyuyyyyyyyyyyyyyuyyyyyyuuuuuyyy
element:progress|html-progress|<progress> element|nnnyyyuannnnnynnnuyunnnnnnnnnnyyyuyyyyuyunnyunnn
attribute:required|html-required|required attribute|nnnyyyuannnnnynnnuaunnnnyynnnnnanuyyanuyunnyunnn
attribute:role|html-role|role attribute|aaayyyuyyyynnynnnuyuynnnyyyyynyyyuyyyyuyunnyuaaa
element:rp|html-rp|<rp> element|yyyyyyuannnnnynnnuyunnnnyyyynnyyyuyyyyuyunnyuyyy
element:rt|html-rt|<rt> element|yyyyyyuannnnnynnnuyunnnnyyyynnyyyuyyyyuyunnyuyyy
element:ruby|html-ruby|<ruby> element|yyyyyyuannnnnynnnuyunnnnyyyynnyyyuyyyyuyunnyuyyy
element:select|html-select|<select> element|yyyayyuyyaynnynnyunuyyyyyyyynnyyyuynnnuaunnyuyyn
element:article element:aside element:details element:figcaption element:figure element:footer element:header element:main element:mark element:nav element:section element:summary element:time|html-semantics|HTML5 semantics|nnnyyyuaaaannyanauyunaaaaaaannyyyuyyyyuyunnyunnn
element:small|html-small|<small> element|yyyyyyyyyyyyyyyynuyuynnnyyyyyyyyyuyyyyyyuyyyuyyy
element:span|html-span|<span> element|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
attribute:srcset attribute:sizes|html-srcset|srcset and sizes attributes|nnnyynunnnnnnynnnuyunnnnnnnnnnnnnuyyyyuyunnyunnn
element:strike|html-strike|<strike> element|yyyyyyuayayyyynyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
element:strong|html-strong|<strong> element|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
element:style|html-style|<style> element|yyyyyyuaaanynyyyynnnyyyyyyyyaaayanynnnuyyynyyyyy
element:svg|html-svg|Embedded <svg> image|nnnyanunnnnnnynnnuyunyyynnnnnnyyyuyyyyuyynnyunnn
element:table|html-table|<table> element|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
attribute:target|html-target|target attribute|nnnaanunnnnnnannnuyunnnnaaanaannnuanynuaunnaunnn
element:textarea|html-textarea|<textarea> element|yyyyyyuyyyynnynnyunuyyyynyyynnayyunnnnuaunnyunyy
attribute:valign|html-valign|valign attribute|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyuyyyuyyy
element:video|html-video|<video> element|nnnaynunnnnnnynnnununnnnnnynnnnnnuayyyuyunnyunnn
element:wbr|html-wbr|<wbr> element|yyyyyyuaynynnnnnyuyunnnyyyyynnyyyuyyyyuyunnnuyyy
attribute:width|html-width|width attribute|yyyyyyuyyyyyyynyyuyuyyyyyyyyayyyyuyyyyuyuyyyuyyy
image:apng|image-apng|Animated PNG image format|yyyyyyunnynyyyyyyuyuyyyynyyynnyyyuyyyyuyyyyyuyyy
image:avif|image-avif|AVIF image format|yyyyynuaaaannnynnuyunyynyyyynnyyyuyyynuyunnnuyyy
image:base64|image-base64|Base 64 image format|yyyyyyunnnnyaynyyunuyyyyyyyyanyyyuyynyuyyyayuyyy
image:bmp|image-bmp|BMP image format|yyyyyyuaayayynyyyuyuyyyyyyyyyyyyyuyyyyuyyyynuyyy
image:gif|image-gif|GIF image format|yyyyyyuyyyyyyyyyyuyuyyyyyyyyayyyyuyyyyuyyyyyuyyy
image:hdr|image-hdr|HDR image format|nnnnnnunnnnnnnnnnununnyynnnnnnnnnunnyyunnnnnunnn
image:heif image:heic|image-heif|HEIF image format|nayyynuaaaannnnnnununnnnnyynnnnayunnnnunnnnnunay
image:ico|image-ico|ICO image format|yyyyyyuyyyyyyyyyyuyuyyyyyyyynyyyyuynyyuyyyyyuyyy
image:jpg image:jpeg|image-jpg|JPG image format|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
image:mp4|image-mp4|Video as Image Assets|nyyyynunnnnnnynnnuyunnyynynynnnyyunnyyununnyunyy
image:png|image-png|PNG image format|yyyyyyuyyyyyyyyyyuyuyyyyyyyyyyyyyuyyyyuyyyyyuyyy
image:svg|image-svg|SVG image format|yyyyyyuananyyyyyyuyunyyyyyyyyyyyyuyyyyuyyyyyuyyy
image:tiff image:tif|image-tiff|TIFF image format|nnyyynuaayannyynnuyunnnynyynnynyyunnyyunnnnyunny
image:webp|image-webp|webP image format|yyyyyyuaaaayyyyyyuyuyyyyyyyynyyyyuyyyyuyyyyyuyyy
`;
