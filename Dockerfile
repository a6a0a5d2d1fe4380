# The program alone, as nobody, on a root that may be read-only. `make dist` first, then:
#   docker build -t tada .
#   docker run --rm --read-only --tmpfs /tmp --network none -v "$PWD:/data" --user "$(id -u)" tada anonymize in.csv --plan tada.toml -o out.csv
FROM debian:12-slim
COPY dist/tada_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/tada_*.deb libpq5 && rm -rf /var/lib/apt/lists/* /tmp/tada_*.deb
USER 65534:65534
WORKDIR /data
ENTRYPOINT ["/usr/bin/tada"]
CMD ["--help"]
