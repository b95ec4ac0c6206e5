import type { EmailLink, ExplainedCandidate, Explanation, MimePart } from 'mayfly-protocol/wire';
import type { EmailAttachment, EmailLinks } from './email.js';
import { haveTexts, type InboxApi, type Requests } from './inbox-api.js';
import { contains, type Pattern } from './text.js';

export class FoundLinks extends Array<EmailLink> implements EmailLinks {
  override find(wanted: Pattern): EmailLink | undefined;
  override find(wanted: (link: EmailLink, index: number, links: EmailLink[]) => unknown): EmailLink | undefined;
  override find(wanted: Pattern | ((link: EmailLink, index: number, links: EmailLink[]) => unknown)) {
    if (typeof wanted === 'function') return super.find(wanted);
    return super.find((link) => isAbout(link, wanted));
  }

  get action(): EmailLink | undefined {
    return super.find(({ action }) => action);
  }
}

export function isAbout({ text, url }: EmailLink, wanted: Pattern): boolean {
  return contains(text, wanted) || contains(url, wanted);
}

export function attachmentsOf(
  parts: readonly MimePart[],
  fetched: (path: string) => Promise<readonly Uint8Array[]>,
): EmailAttachment[] {
  return parts.filter(({ attachment }) => attachment).map((part) => attachmentOf(part, () => fetched(part.path)));
}

function attachmentOf(part: MimePart, fetched: () => Promise<readonly Uint8Array[]>): EmailAttachment {
  const { path, filename, type, size, charset } = part;
  const bytes = async () => joined(await fetched());
  const text = async () => {
    const content = await bytes();
    try {
      return new TextDecoder(charset ?? 'utf-8').decode(content);
    } catch {
      // The sender declared an unknown charset.
      return new TextDecoder().decode(content);
    }
  };
  return { name: filename ?? `part-${path}`, type, size: size ?? 0, bytes, text };
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}

export function explanation(api: InboxApi<Requests>, receivedAt: string, signal?: AbortSignal): Promise<Explanation> {
  return api.transport.json<Explanation>(api.ofMessage(`/${receivedAt}/explain`, signal), isExplanation);
}

function isExplanation({ otpCandidates, letterCandidates, magicLinkCandidates }: Explanation): boolean {
  return [otpCandidates, letterCandidates, magicLinkCandidates].every(areCandidates);
}

function areCandidates(candidates: readonly ExplainedCandidate[]): boolean {
  const haveReasons = () => candidates.every(({ reasons }) => haveTexts(reasons, 'rule', 'text'));
  return haveTexts(candidates, 'value', 'verdict', 'where') && haveReasons();
}
