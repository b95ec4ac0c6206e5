/** The sidebar: its groups in order, with the title of each page by its name in docs/. */
export const groups = [
  { title: 'Start', pages: { 'getting-started': 'Getting started' } },
  {
    title: 'Test runners',
    pages: {
      playwright: 'Playwright',
      vitest: 'Vitest',
      jest: 'Jest',
      cypress: 'Cypress',
      pytest: 'pytest',
      'other-runners': 'Other runners',
      'other-languages': 'Ruby, Go, Java and PHP',
    },
  },
  {
    title: 'Tests',
    pages: {
      inboxes: 'Inboxes and waiting',
      filters: 'Filters and fields',
      matchers: 'Matchers',
      'failure-simulation': 'Failure simulation',
      'link-scanners': 'Link scanners',
      'second-factors': 'Second factors',
      webhooks: 'Webhooks',
      inbound: 'Inbound email',
      isolation: 'Isolation',
    },
  },
  {
    title: 'Setup',
    pages: {
      applications: 'Connect your application',
      'send-apis': 'Provider APIs',
      sms: 'Text messages',
      ci: 'CI and Docker',
      testcontainers: 'Testcontainers',
      agents: 'Coding agents',
      migrating: 'Migrating',
    },
  },
  {
    title: 'Use',
    pages: {
      'web-ui': 'Web UI',
      troubleshooting: 'Troubleshooting',
      'codes-and-links': 'Codes and links',
    },
  },
  {
    title: 'Reference',
    pages: {
      client: 'Client',
      'command-line': 'Command line',
      configuration: 'Settings',
      http: 'HTTP API',
      api: 'API viewer',
      errors: 'Errors',
      plugins: 'Plugins',
    },
  },
  { title: 'Operation', pages: { executable: 'Executable', operations: 'Hosting', scaling: 'Scaling' } },
  {
    title: 'Internals',
    pages: {
      'internals/interface': 'The interface',
      'internals/flow': 'The path of one email',
      'internals/extraction': 'How extraction works',
      'internals/decisions': 'Decisions',
      'internals/performance': 'Performance',
    },
  },
];
