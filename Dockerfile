# The image of Mayfly, for amd64 and arm64 (docs/ci.md). Built once, on the machine's own kind of processor: only the package of the
# store's engine differs. server/test/container/ runs these steps without a container engine.
FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS build
ARG TARGETARCH
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --workspace server --pack-destination /tmp

# What is installed is what everybody gets from npm. A package that fits no processor is left out silently, so that is looked at.
RUN case "$TARGETARCH" in amd64) cpu=x64 ;; *) cpu="$TARGETARCH" ;; esac && \
    npm install --prefix /rootfs/app --omit=dev --ignore-scripts --no-audit --no-fund \
      --os=linux --cpu="$cpu" --libc=glibc /tmp/mayfly-inbox-*.tgz && \
    test -d "/rootfs/app/node_modules/@lmdb/lmdb-linux-$cpu"

# There is no shell and no /usr/bin/env in the image: this makes "docker exec NAME mayfly wait ADDRESS" work all the same.
RUN mkdir -p /rootfs/usr/local/bin && \
    printf '#!/nodejs/bin/node\nrequire("/app/node_modules/mayfly-inbox/bin/mayfly.js");\n' > /rootfs/usr/local/bin/mayfly && \
    chmod 755 /rootfs/usr/local/bin/mayfly

# For the image's user, and for any other that is given without a group: Docker puts that into group 0.
RUN mkdir -p /volume/data && chmod 770 /volume/data

FROM gcr.io/distroless/nodejs24-debian13:nonroot
# Version and revision are labels that a release adds.
LABEL org.opencontainers.image.title="Mayfly" \
      org.opencontainers.image.description="Disposable inboxes for automated tests: mail in over SMTP, codes and links out over HTTP." \
      org.opencontainers.image.url="https://github.com/OWNER/mayfly" \
      org.opencontainers.image.source="https://github.com/OWNER/mayfly" \
      org.opencontainers.image.documentation="https://github.com/OWNER/mayfly/blob/main/docs/ci.md" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build --chown=0:0 /rootfs/ /
# The folder is copied with the one above it, since only then its mode comes along.
COPY --from=build --chown=65532:0 /volume/ /
# A container is reached through the ports that are published, so it listens at all of its addresses.
ENV MAYFLY_HOST=0.0.0.0 \
    MAYFLY_DOMAIN=* \
    MAYFLY_STORE=lmdb:/data
USER 65532:65532
VOLUME /data
EXPOSE 2525 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --start-interval=0.5s --retries=3 CMD ["/usr/local/bin/mayfly", "healthy"]
ENTRYPOINT ["/usr/local/bin/mayfly"]
CMD ["serve"]
