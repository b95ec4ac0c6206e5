export type { ScanBrowser } from './link-browser.js';
export { type FollowedLink, type FollowLinkOptions, followLink } from './link-follow.js';
export {
  type LinkAnswer,
  type LinkCookie,
  type LinkScan,
  type LinkVisit,
  MayflyLinkError,
  MayflyScanError,
  type ScanLevel,
  type ScannedLink,
} from './link-report.js';
export { type ScanLinksOptions, scanLinks } from './link-scan.js';
