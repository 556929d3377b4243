import type { Parts } from './handler.js';

/** Counters in the text format of Prometheus. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  streams = 0;

  answered(operation: string, status: number): void {
    const labels = `operation="${operation}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
  }

  text({ host, inbox }: Pick<Parts, 'host' | 'inbox'>): string {
    const gauge = (name: string, help: string, value: number) =>
      `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;
    const requests = Array.from(
      this.#requests,
      ([labels, count]) => `countersign_http_requests_total{${labels}} ${count}\n`,
    );
    return [
      '# HELP countersign_http_requests_total Requests answered, by operation and status.\n',
      '# TYPE countersign_http_requests_total counter\n',
      ...requests,
      gauge('countersign_event_streams', 'Open event streams.', this.streams),
      gauge('countersign_sessions_open', 'Sessions that this process has open.', host.openCount),
      gauge('countersign_approvals_waiting', 'Pending approvals of all sessions.', inbox.waiting),
      gauge('process_resident_memory_bytes', 'Memory in use.', process.memoryUsage.rss()),
    ].join('');
  }
}
