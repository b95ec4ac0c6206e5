/** A process that clears an inbox. Arguments: the store's url, its limits as JSON, the inbox, the time that is now. */
import { openStore } from '../../../dist/store/open-store.js';

const [url, limits, inbox, now] = process.argv.slice(2);
const { store } = await openStore(url, JSON.parse(limits));
await store.clear(inbox, Number(now));
await store.close();
