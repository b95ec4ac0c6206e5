import { type StartedMayfly, startMayfly } from 'mayfly-inbox';

/** Starts a service with metrics in this process. Its parser threads run compiled code. */
export async function startCounting(options: Parameters<typeof startMayfly>[0] = {}): Promise<StartedMayfly> {
  return await startMayfly({ metrics: 0, ...options });
}

export async function scrapedText({ metricsUrl }: StartedMayfly): Promise<string> {
  const response = await fetch(metricsUrl as string);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return await response.text();
}

/** Fetches the metrics of a service by series: `mayfly_extractions_total{kind="otp",found="true"}` → 1. */
export async function scraped(service: StartedMayfly): Promise<ReadonlyMap<string, number>> {
  return parseMetrics(await scrapedText(service));
}

/** Parses Prometheus' text format, which promtool validates. Throws for a duplicate series. */
function parseMetrics(text: string): ReadonlyMap<string, number> {
  const series = new Map<string, number>();
  for (const [, name = '', value = ''] of text.matchAll(/^([^#\s].*) (\S+)$/gm)) {
    if (series.has(name)) throw new Error(`A series is there twice: ${name}`);
    series.set(name, Number(value.replace('Inf', 'Infinity')));
  }
  return series;
}

/** Returns the metrics that are not zero and whose series begin with this prefix. */
export function counted(figures: ReadonlyMap<string, number>, prefix: string): Record<string, number> {
  return Object.fromEntries([...figures].filter(([name, value]) => name.startsWith(prefix) && value !== 0));
}
