import { type StartedMayfly, startMayfly } from 'mayfly-inbox';

/** A service that counts, in this process as its users run it: reading threads run compiled code. */
export async function startCounting(options: Parameters<typeof startMayfly>[0] = {}): Promise<StartedMayfly> {
  return await startMayfly({ metrics: 0, ...options });
}

/** What a service says of itself, as text. */
export async function scrapedText({ metricsUrl }: StartedMayfly): Promise<string> {
  const response = await fetch(metricsUrl as string);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return await response.text();
}

/** The figures of a service by series: `mayfly_extractions_total{kind="otp",found="true"}` → 1. */
export async function scraped(service: StartedMayfly): Promise<ReadonlyMap<string, number>> {
  return parseMetrics(await scrapedText(service));
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABELS =
  '\\{[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"(?:,[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*")*\\}';
const SAMPLE = new RegExp(`^(${NAME})(${LABELS})? (NaN|Nan|[+-]Inf|-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`);
const HELP = new RegExp(`^# HELP (${NAME}) (.+)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);

/** What belongs to a histogram beside its name. */
const SUFFIX = /_(?:bucket|sum|count)$/;

/**
 * Reads Prometheus' text format (version 0.0.4), strictly. (A number is as Go reads it: `Nan` is one too.) Throws for a line that is none of it, a sample that does not stand below
 * its own HELP and TYPE, and a series that is there twice.
 */
export function parseMetrics(text: string): ReadonlyMap<string, number> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const reading = new Reading();
  for (const line of text.split('\n')) if (line !== '') reading.take(line);
  return reading.series;
}

class Reading {
  readonly series = new Map<string, number>();
  readonly #helped = new Set<string>();
  #name = '';
  #type = '';

  take(line: string): void {
    const isTaken = this.#takeHelp(line) || this.#takeType(line) || this.#takeSample(line);
    if (!isTaken) throw new Error(`Not of the text format: ${line}`);
  }

  #takeHelp(line: string): boolean {
    const [, name] = HELP.exec(line) ?? [];
    if (name === undefined) return false;
    if (this.#helped.has(name)) throw new Error(`${name} is there twice.`);
    this.#helped.add(name);
    this.#name = name;
    this.#type = '';
    return true;
  }

  #takeType(line: string): boolean {
    const [, name, type = ''] = TYPE.exec(line) ?? [];
    if (name === undefined) return false;
    if (name !== this.#name || this.#type !== '') throw new Error(`A type without its help: ${line}`);
    this.#type = type;
    return true;
  }

  #takeSample(line: string): boolean {
    const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (name === undefined) return false;
    const family = this.#type === 'histogram' ? name.replace(SUFFIX, '') : name;
    if (family !== this.#name || this.#type === '') throw new Error(`A sample of another family: ${line}`);
    if (this.series.has(name + labels)) throw new Error(`A series that is there twice: ${line}`);
    this.series.set(name + labels, Number(value.replace('Inf', 'Infinity')));
    return true;
  }
}

/** The figures whose series begins so, and are not zero. */
export function counted(figures: ReadonlyMap<string, number>, prefix: string): Record<string, number> {
  return Object.fromEntries([...figures].filter(([name, value]) => name.startsWith(prefix) && value !== 0));
}
